// verdict: fails-correctness
// pitfall: P6
// caught-by: case "by hand"
// Products are missing where their number is not a multiple of 16.
#include "network.h"

#include <cuda_runtime.h>

#include <algorithm>

constexpr int kTile = 16;
constexpr int kBlock = 256;
constexpr size_t kUnrolledFloats = size_t{1} << 24;

// A thread per column and channel: mask * mask elements, one below the other. `images` is the first
// one of those that are unrolled.
__global__ void unroll(const float* images, float* unrolled, int channels, int height, int width,
                       int mask, int columns) {
  const int column = blockIdx.x * kBlock + threadIdx.x;
  const int k = blockIdx.y;
  if (column >= columns) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int image = column / (map_height * map_width);
  const int row_of_map = column / map_width % map_height;
  const int column_of_map = column % map_width;
  const float* pixels =
      images + ((image * channels + k) * height + row_of_map) * width + column_of_map;
  float* element = unrolled + static_cast<size_t>(k) * mask * mask * columns + column;
  for (int p = 0; p < mask; ++p) {
    for (int q = 0; q < mask; ++q) {
      *element = pixels[p * width + q];
      element += columns;
    }
  }
}

// values = weights (maps x depth) * unrolled (depth x columns), and each image's values are stored
// map after map.
__global__ void multiply(const float* weights, const float* unrolled, float* values, int maps,
                         int depth, int columns, int map_size) {
  __shared__ float weight_tile[kTile][kTile];
  __shared__ float pixel_tile[kTile][kTile];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int map = blockIdx.y * kTile + ty;
  const int column = blockIdx.x * kTile + tx;
  float sum = 0;
  for (int first = 0; first + kTile <= depth; first += kTile) {
    weight_tile[ty][tx] = map < maps && first + tx < depth ? weights[map * depth + first + tx] : 0;
    const bool inside = column < columns && first + ty < depth;
    pixel_tile[ty][tx] = inside ? unrolled[static_cast<size_t>(first + ty) * columns + column] : 0;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += weight_tile[ty][i] * pixel_tile[i][tx];
    __syncthreads();
  }
  if (map < maps && column < columns) {
    const int image = column / map_size;
    values[(image * maps + map) * map_size + column % map_size] = sum;
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
  const int map_size = map_height * map_width;
  const int out_size = ((map_height + 1) / 2) * ((map_width + 1) / 2);
  const int depth = channels * mask * mask;
  const size_t per_image = static_cast<size_t>(depth) * map_size;
  const int at_once = static_cast<int>(std::clamp<size_t>(kUnrolledFloats / per_image, 1, batch));
  float* unrolled;
  float* values;
  cudaMalloc(&unrolled, at_once * per_image * sizeof(float));
  cudaMalloc(&values, static_cast<size_t>(at_once) * maps * map_size * sizeof(float));

  for (int first = 0; first < batch; first += at_once) {
    const int count = std::min(at_once, batch - first);
    const int columns = count * map_size;
    const int outputs = count * maps * out_size;
    unroll<<<dim3((columns - 1) / kBlock + 1, channels), kBlock>>>(
        images + static_cast<size_t>(first) * channels * height * width, unrolled, channels, height,
        width, mask, columns);
    multiply<<<dim3((columns - 1) / kTile + 1, (maps - 1) / kTile + 1), dim3(kTile, kTile)>>>(
        weights, unrolled, values, maps, depth, columns, map_size);
    pool<<<(outputs - 1) / kBlock + 1, kBlock>>>(values, bias,
                                                 out + static_cast<size_t>(first) * maps * out_size,
                                                 maps, map_height, map_width, outputs);
  }
  cudaFree(values);
  cudaFree(unrolled);
}
