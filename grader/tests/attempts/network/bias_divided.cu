#include "network.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void convolve(const float* images, const float* weights, float* values, int channels,
                         int height, int width, int maps, int mask, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int column = i % map_width;
  const int row = i / map_width % map_height;
  const int map = i / map_width / map_height % maps;
  const int image = i / map_width / map_height / maps;

  float sum = 0;
  for (int k = 0; k < channels; ++k) {
    const float* pixels = images + ((image * channels + k) * height + row) * width + column;
    const float* weight = weights + (map * channels + k) * mask * mask;
    for (int p = 0; p < mask; ++p) {
      for (int q = 0; q < mask; ++q) sum += weight[p * mask + q] * pixels[p * width + q];
    }
  }
  values[i] = sum;
}

__global__ void pool(const float* values, const float* bias, float* out, int maps, int map_height,
                     int map_width, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int left = i % out_width * 2;
  const int top = i / out_width % out_height * 2;
  const int plane = i / out_width / out_height;
  const int right = min(left + 2, map_width);
  const int bottom = min(top + 2, map_height);

  float sum = bias[plane % maps];
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) {
      sum += values[(plane * map_height + row) * map_width + column];
    }
  }
  const float mean = sum / ((right - left) * (bottom - top));
  out[i] = 1 / (1 + expf(-(mean)));
}

void network_layer(const float* images, const float* weights, const float* bias, float* out,
                   int batch, int channels, int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int value_count = batch * maps * map_height * map_width;
  const int out_count = batch * maps * ((map_height + 1) / 2) * ((map_width + 1) / 2);
  float* values;
  cudaMalloc(&values, value_count * sizeof(float));
  convolve<<<(value_count - 1) / kBlock + 1, kBlock>>>(images, weights, values, channels, height,
                                                       width, maps, mask, value_count);
  pool<<<(out_count - 1) / kBlock + 1, kBlock>>>(values, bias, out, maps, map_height, map_width,
                                                 out_count);
  cudaFree(values);
}
