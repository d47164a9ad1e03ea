#include "network.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                    \
  {                                                                                    \
    const cudaError_t error = call;                                                    \
    if (error != cudaSuccess) {                                                        \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                    \
    }                                                                                  \
  }

constexpr int kBlock = 256;

__global__ void convolve(const float* images, const float* weights, float* values, int total,
                         int channels, int height, int width, int maps, int mask) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= total) return;
  const int H = height - mask + 1, W = width - mask + 1;
  const int column = i % W, row = i / W % H, map = i / W / H % maps, image = i / W / H / maps;
  float sum = 0;
  for (int k = 0; k < channels; ++k) {
    const float* channel = images + (size_t)(image * channels + k) * height * width;
    const float* w = weights + (size_t)(map * channels + k) * mask * mask;
    for (int p = 0; p < mask; ++p)
      for (int q = 0; q < mask; ++q)
        sum += w[p * mask + q] * channel[(row + p) * width + column + q];
  }
  values[i] = sum;
}

__global__ void pool(const float* values, const float* bias, float* out, int total, int maps, int H,
                     int W) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= total) return;
  const int h = (H + 1) / 2, w = (W + 1) / 2;
  const int column = i % w, row = i / w % h, plane = i / w / h;  // plane = image * maps + map

  float sum = 0;
  for (int dy = 0; dy < 2; ++dy) {
    for (int dx = 0; dx < 2; ++dx) {
      const int y = 2 * row + dy, x = 2 * column + dx;
      if (y < H && x < W) sum += values[((size_t)plane * H + y) * W + x];
    }
  }
  const float mean = 0.25f * sum;
  out[i] = 1.0f / (1.0f + expf(-(mean + bias[plane % maps])));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int H = height - mask + 1, W = width - mask + 1;
  const int before = batch * maps * H * W;
  const int after = batch * maps * ((H + 1) / 2) * ((W + 1) / 2);
  float* values = nullptr;
  CHECK(cudaMalloc(&values, sizeof(float) * before));
  convolve<<<(before - 1) / kBlock + 1, kBlock>>>(images, weights, values, before, channels, height,
                                                 width, maps, mask);
  CHECK(cudaGetLastError());
  pool<<<(after - 1) / kBlock + 1, kBlock>>>(values, bias, out, after, maps, H, W);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(values));
}
