#include "convolution.h"
#include <cuda_runtime.h>

template <typename T>
__device__ inline bool inside(T v, T limit) { return v >= 0 && v < limit; }

__global__ void convolve(const float* image, const float* mask, float* result, int height, int width,
                         int mask_height, int mask_width) {
  // keep a copy of the mask in shared memory
  __shared__ float m[31 * 31];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int e = thread; e < mask_height * mask_width; e += blockDim.x * blockDim.y) m[e] = mask[e];
  __syncthreads();

  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < height; row += gridDim.y * blockDim.y) {
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < width; column += gridDim.x * blockDim.x) {
      float sum = 0.f;
      for (int j = 0; j < mask_width; ++j) {
        const int x = column + j - mask_width / 2;
        if (!inside(x, width)) continue;
        for (int i = 0; i < mask_height; ++i) {
          const int y = row + i - mask_height / 2;
          if (inside(y, height)) sum += m[j * mask_height + i] * image[y * width + x];
        }
      }
      result[row * width + column] = sum;
    }
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height * width == 0) return;
  dim3 block(32, 8);
  dim3 grid(min((width + 31) / 32, 1024), min((height + 7) / 8, 1024));
  convolve<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
}
