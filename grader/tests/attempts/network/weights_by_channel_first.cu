#include "network.h"

#include <cuda_runtime.h>

struct Shape {
  int batch, channels, height, width, maps, mask;
  __host__ __device__ int map_height() const { return height - mask + 1; }
  __host__ __device__ int map_width() const { return width - mask + 1; }
  __host__ __device__ int out_height() const { return (map_height() + 1) / 2; }
  __host__ __device__ int out_width() const { return (map_width() + 1) / 2; }
};

__device__ float value(const Shape& s, const float* image, const float* weights, int map, int row, int column) {
  float sum = 0;
  for (int k = 0; k < s.channels; ++k) {
    const float* w = weights + static_cast<size_t>(k * s.maps + map) * s.mask * s.mask;
    const float* pixels = image + static_cast<size_t>(k) * s.height * s.width;
    for (int p = 0; p < s.mask; ++p) {
      for (int q = 0; q < s.mask; ++q) {
        sum += w[p * s.mask + q] * pixels[static_cast<size_t>(row + p) * s.width + column + q];
      }
    }
  }
  return sum;
}

// One thread per pooled result.
__global__ void layer(Shape s, const float* images, const float* weights, const float* bias, float* out,
                      size_t results) {
  for (size_t at = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; at < results;
       at += static_cast<size_t>(gridDim.x) * blockDim.x) {
    const int j = at % s.out_width();
    const int i = at / s.out_width() % s.out_height();
    const int map = at / s.out_width() / s.out_height() % s.maps;
    const int image = at / s.out_width() / s.out_height() / s.maps;
    const float* pixels = images + static_cast<size_t>(image) * s.channels * s.height * s.width;
    float sum = 0;
    int number = 0;
    for (int r = 2 * i; r < min(2 * i + 2, s.map_height()); ++r) {
      for (int c = 2 * j; c < min(2 * j + 2, s.map_width()); ++c) {
        sum += value(s, pixels, weights, map, r, c);
        ++number;
      }
    }
    out[at] = 1.0f / (1.0f + expf(-(sum / number + bias[map])));
  }
}

void network_layer(const float* images, const float* weights, const float* bias, float* out, int batch, int channels,
                   int height, int width, int maps, int mask) {
  if (batch == 0) return;
  const Shape s = {batch, channels, height, width, maps, mask};
  const size_t results = static_cast<size_t>(batch) * maps * s.out_height() * s.out_width();
  size_t blocks = (results + 127) / 128;
  if (blocks > 65535) blocks = 65535;
  layer<<<static_cast<unsigned>(blocks), 128>>>(s, images, weights, bias, out, results);
  if (cudaGetLastError() != cudaSuccess) return;
}
