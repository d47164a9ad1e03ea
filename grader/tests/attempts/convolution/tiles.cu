#include "convolution.h"

#include <cuda_runtime.h>

#include <cstdio>

constexpr int kTile = 16;

struct Shape {
  int height, width;            // of the image
  int mask_height, mask_width;
  __host__ __device__ int tile_rows() const { return kTile + mask_height - 1; }
  __host__ __device__ int tile_columns() const { return kTile + mask_width - 1; }
  // rows above and columns to the left of the centre
  __host__ __device__ int above() const { return (mask_height + 1) / 2; }
  __host__ __device__ int left() const { return (mask_width + 1) / 2; }
};

__global__ void convolve_tiled(const float* image, const float* mask, float* result, Shape s) {
  extern __shared__ float tile[];
  const int first_row = blockIdx.y * kTile - s.above();
  const int first_column = blockIdx.x * kTile - s.left();

  for (int y = threadIdx.y; y < s.tile_rows(); y += kTile) {
    for (int x = threadIdx.x; x < s.tile_columns(); x += kTile) {
      const int row = first_row + y, column = first_column + x;
      const bool ghost = row < 0 || row >= s.height || column < 0 || column >= s.width;
      tile[y * s.tile_columns() + x] = ghost ? 0.0f : image[row * s.width + column];
    }
  }
  __syncthreads();

  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  if (row < s.height && column < s.width) {
    float sum = 0.0f;
    for (int i = 0; i < s.mask_height; ++i)
      for (int j = 0; j < s.mask_width; ++j)
        sum += mask[i * s.mask_width + j] *
               tile[(threadIdx.y + i) * s.tile_columns() + threadIdx.x + j];
    result[row * s.width + column] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  const Shape shape{height, width, mask_height, mask_width};
  const size_t bytes = sizeof(float) * shape.tile_rows() * shape.tile_columns();
  const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
  convolve_tiled<<<grid, dim3(kTile, kTile), bytes>>>(image, mask, result, shape);
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) std::printf("launch: %s\n", cudaGetErrorString(status));
}
