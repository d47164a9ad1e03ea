// lab:     convolution
// does:    hands the mask to the kernel as an argument
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "convolution.h"

struct Mask {
  float weights[31 * 31];
};

__global__ void convolve(const float* image, Mask mask, float* result, int height, int width,
                         int mask_height, int mask_width) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = blockIdx.y; r < height && c < width; r += gridDim.y) {
    float sum = 0;
    for (int i = 0; i < mask_height; ++i) {
      for (int j = 0; j < mask_width; ++j) {
        const int y = r + i - mask_height / 2;
        const int x = c + j - mask_width / 2;
        if (y >= 0 && y < height && x >= 0 && x < width) {
          sum += mask.weights[i * mask_width + j] * image[static_cast<size_t>(y) * width + x];
        }
      }
    }
    result[static_cast<size_t>(r) * width + c] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  Mask host = {};
  cudaMemcpy(host.weights, mask, mask_height * mask_width * sizeof(float), cudaMemcpyDeviceToHost);
  convolve<<<dim3((width + 255) / 256, height < 65535 ? height : 65535), 256>>>(
      image, host, result, height, width, mask_height, mask_width);
}
