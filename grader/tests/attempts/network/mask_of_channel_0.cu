#include "network.h"

#include <cuda_runtime.h>

__global__ void convolve(const float* images, const float* weights, float* values, int batch,
                         int channels, int height, int width, int maps, int mask) {
  const int H = height - mask + 1;
  const int W = width - mask + 1;
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)batch * maps * H * W) return;
  const int c = i % W;
  const int r = i / W % H;
  const int m = i / ((long long)W * H) % maps;
  const int b = i / ((long long)W * H * maps);

  float sum = 0;
  for (int k = 0; k < channels; ++k) {
    const float* image = images + ((size_t)b * channels + k) * height * width;
    const float* w = weights + (size_t)m * channels * mask * mask;
    for (int p = 0; p < mask; ++p)
      for (int q = 0; q < mask; ++q) sum += w[p * mask + q] * image[(r + p) * width + c + q];
  }
  values[i] = sum;
}

__global__ void pool(const float* values, const float* bias, float* out, int batch, int maps,
                     int map_height, int map_width) {
  const int oh = (map_height + 1) / 2;
  const int ow = (map_width + 1) / 2;
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (long long)batch * maps * oh * ow) return;
  const int c = i % ow;
  const int r = i / ow % oh;
  const long long which = i / ((long long)ow * oh);  // image * maps + map

  float sum = 0;
  int count = 0;
  for (int y = 2 * r; y < 2 * r + 2 && y < map_height; ++y)
    for (int x = 2 * c; x < 2 * c + 2 && x < map_width; ++x) {
      sum += values[(which * map_height + y) * map_width + x];
      ++count;
    }
  out[i] = 1 / (1 + expf(-(sum / count + bias[which % maps])));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int H = height - mask + 1, W = width - mask + 1;
  const long long before = (long long)batch * maps * H * W;
  const long long after = (long long)batch * maps * ((H + 1) / 2) * ((W + 1) / 2);
  float* values;
  cudaMalloc(&values, before * sizeof(float));
  convolve<<<(before + 255) / 256, 256>>>(images, weights, values, batch, channels, height, width,
                                          maps, mask);
  if (cudaGetLastError() == cudaSuccess) {
    pool<<<(after + 255) / 256, 256>>>(values, bias, out, batch, maps, H, W);
    if (cudaGetLastError() != cudaSuccess) batch = 0;
  }
  cudaFree(values);
}
