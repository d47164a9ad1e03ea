// verdict: fails-safety
// pitfall: P23
// caught-by: finding race-shared
// The next channel is loaded while other warps still read the last one.
#include "network.h"

#include <cuda_runtime.h>

constexpr int kTile = 16;
constexpr int kMapsEach = 4;  // of a thread
constexpr int kBlock = 256;
constexpr int kLargestGrid = 65535;

__global__ void convolve(const float* images, const float* weights, float* values, int batch,
                         int channels, int height, int width, int maps, int mask) {
  extern __shared__ float shared[];
  const int side = kTile + mask - 1;
  const int area = mask * mask;
  float* const tile = shared;
  float* const tile_weights = shared + side * side;  // of the four maps, one after the other
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int tiles_across = (map_width + kTile - 1) / kTile;
  const int left = blockIdx.x % tiles_across * kTile;
  const int top = blockIdx.x / tiles_across * kTile;
  const int first_map = blockIdx.y * kMapsEach;
  const int row = top + threadIdx.y;
  const int column = left + threadIdx.x;

  for (int image = blockIdx.z; image < batch; image += gridDim.z) {
    float sums[kMapsEach] = {};
    for (int k = 0; k < channels; ++k) {
      const float* pixels = images + (image * channels + k) * height * width;
      for (int ty = threadIdx.y; ty < side; ty += kTile) {
        for (int tx = threadIdx.x; tx < side; tx += kTile) {
          const bool inside = top + ty < height && left + tx < width;
          tile[ty * side + tx] = inside ? pixels[(top + ty) * width + left + tx] : 0;
        }
      }
      for (int m = 0; m < kMapsEach; ++m) {
        const int map = first_map + m;
        for (int i = threadIdx.y * kTile + threadIdx.x; i < area; i += kTile * kTile) {
          tile_weights[m * area + i] = map < maps ? weights[(map * channels + k) * area + i] : 0;
        }
      }
      __syncthreads();
      for (int p = 0; p < mask; ++p) {
        const float* weight = tile_weights + p * mask;
        const float* pixel = tile + (threadIdx.y + p) * side + threadIdx.x;
        for (int q = 0; q < mask; ++q) {
#pragma unroll
          for (int m = 0; m < kMapsEach; ++m) sums[m] += weight[m * area + q] * pixel[q];
        }
      }
    }
    if (row >= map_height || column >= map_width) continue;
#pragma unroll
    for (int m = 0; m < kMapsEach; ++m) {
      const int map = first_map + m;
      if (map < maps) {
        values[((image * maps + map) * map_height + row) * map_width + column] = sums[m];
      }
    }
  }
}

__global__ void pool(const float* values, const float* bias, float* out, int maps, int map_height,
                     int map_width, int count) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int left = i % out_width * 2;
  const int top = i / out_width % out_height * 2;
  const int plane = i / out_width / out_height;  // image and map
  const int right = min(left + 2, map_width);
  const int bottom = min(top + 2, map_height);

  float sum = 0;
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) {
      sum += values[(plane * map_height + row) * map_width + column];
    }
  }
  const float mean = sum / ((right - left) * (bottom - top));
  out[i] = 1 / (1 + expf(-(mean + bias[plane % maps])));
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

  const int tiles = ((map_width + kTile - 1) / kTile) * ((map_height + kTile - 1) / kTile);
  const dim3 grid(tiles, (maps + kMapsEach - 1) / kMapsEach,
                  batch < kLargestGrid ? batch : kLargestGrid);
  const int side = kTile + mask - 1;
  const size_t shared_bytes = (side * side + kMapsEach * mask * mask) * sizeof(float);
  convolve<<<grid, dim3(kTile, kTile), shared_bytes>>>(images, weights, values, batch, channels,
                                                       height, width, maps, mask);
  pool<<<(out_count - 1) / kBlock + 1, kBlock>>>(values, bias, out, maps, map_height, map_width,
                                                 out_count);
  cudaFree(values);
}
