#include "network.h"
#include <cuda_runtime.h>

__global__ void
convolve (const float *images, const float *weights, float *values, int batch, int channels, int height, int width,
          int maps, int mask)
{
  int H = height - mask + 1, W = width - mask + 1;
  int total = batch * maps * H * W;
  for (int id = blockIdx.x * blockDim.x + threadIdx.x; id < total; id += blockDim.x * gridDim.x)
    {
      int c = id % W, r = id / W % H, m = id / (W * H) % maps, b = id / (W * H * maps);
      float sum = 0;
      for (int k = 0; k < channels; k++)
        for (int p = 0; p < mask; p++)
          for (int q = 0; q < mask; q++)
            sum += weights[((m * channels + k) * mask + p) * mask + q]
                   * images[(b * channels + k) * height * width + (r + p) * height + c + q];
      values[id] = sum;
    }
}

__global__ void
pool (const float *values, const float *bias, float *out, int batch, int maps, int H, int W)
{
  int h = (H + 1) / 2, w = (W + 1) / 2;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= batch * maps * h * w)
    return;
  int j = id % w, i = id / w % h, map = id / (w * h);
  const float *v = values + (size_t)map * H * W;
  float sum = v[2 * i * W + 2 * j];
  int n = 1;
  if (2 * j + 1 < W) { sum += v[2 * i * W + 2 * j + 1]; n++; }
  if (2 * i + 1 < H) { sum += v[(2 * i + 1) * W + 2 * j]; n++; }
  if (2 * j + 1 < W && 2 * i + 1 < H) { sum += v[(2 * i + 1) * W + 2 * j + 1]; n++; }
  out[id] = 1 / (1 + expf (-(sum / n + bias[map % maps])));
}

void
network_layer (const float *images, const float *weights, const float *bias, float *out, int batch, int channels,
               int height, int width, int maps, int mask)
{
  if (batch == 0)
    return;
  int H = height - mask + 1, W = width - mask + 1;
  size_t count = (size_t)batch * maps * H * W;
  float *values;
  if (cudaMalloc (&values, count * sizeof (float)) != cudaSuccess)
    return;
  convolve<<<2048, 128>>> (images, weights, values, batch, channels, height, width, maps, mask);
  int results = batch * maps * ((H + 1) / 2) * ((W + 1) / 2);
  pool<<<(results + 127) / 128, 128>>> (values, bias, out, batch, maps, H, W);
}
