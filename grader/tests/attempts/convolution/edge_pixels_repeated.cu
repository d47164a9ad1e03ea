#include "convolution.h"

#include <cuda_runtime.h>

__device__ int limit(int v, int last) { return v < 0 ? 0 : (v > last ? last : v); }

__global__ void blur(const float* image, const float* mask, float* result, int height, int width,
                     int mask_height, int mask_width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    float sum = 0.0f;
    int ry = mask_height / 2, rx = mask_width / 2;
    for (int dy = -ry; dy <= ry; dy++) {
      for (int dx = -rx; dx <= rx; dx++) {
        float p = image[limit(y + dy, height - 1) * width + limit(x + dx, width - 1)];
        sum += p * mask[(dy + ry) * mask_width + dx + rx];
      }
    }
    result[y * width + x] = sum;
  }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (width == 0 || height == 0) return;
  dim3 block(32, 8);
  blur<<<dim3((width + 31) / 32, (height + 7) / 8), block>>>(image, mask, result, height, width,
                                                             mask_height, mask_width);
}
