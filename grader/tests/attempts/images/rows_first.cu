#include "images.h"

#include <cuda_runtime.h>

constexpr int kWidth = 32;      // outputs of a block
constexpr int kHeight = 16;
constexpr int kMaxRadius = 8;

using Pixel = unsigned char;

__global__ void gray_kernel(const Pixel* rgb, Pixel* gray, int pixels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    gray[i] = (3 * rgb[3 * i] + 6 * rgb[3 * i + 1] + rgb[3 * i + 2]) / 10;
  }
}

// First the sums over a row of the window, then the sums of these.
__global__ void blur_kernel(const Pixel* image, Pixel* blurred, int height, int width, int radius) {
  __shared__ Pixel tile[kHeight + 2 * kMaxRadius][kWidth + 2 * kMaxRadius];
  __shared__ Pixel row_sums[kHeight + 2 * kMaxRadius][kWidth];

  const int top = blockIdx.y * kHeight - radius;
  const int left = blockIdx.x * kWidth - radius;
  for (int r = threadIdx.y; r < kHeight + 2 * radius; r += kHeight) {
    for (int c = threadIdx.x; c < kWidth + 2 * radius; c += kWidth) {
      const int y = top + r, x = left + c;
      tile[r][c] = y >= 0 && y < height && x >= 0 && x < width ? image[y * width + x] : 0;
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < kHeight + 2 * radius; r += kHeight) {
    int sum = 0;
    for (int c = 0; c <= 2 * radius; ++c) sum += tile[r][threadIdx.x + c];
    row_sums[r][threadIdx.x] = sum;
  }
  __syncthreads();

  const int y = blockIdx.y * kHeight + threadIdx.y;
  const int x = blockIdx.x * kWidth + threadIdx.x;
  if (y < height && x < width) {
    int sum = 0;
    for (int r = 0; r <= 2 * radius; ++r) sum += row_sums[threadIdx.y + r][threadIdx.x];
    const int rows = min(y + radius, height - 1) - max(y - radius, 0) + 1;
    const int columns = min(x + radius, width - 1) - max(x - radius, 0) + 1;
    blurred[y * width + x] = sum / (rows * columns);
  }
}

void to_gray(const Pixel* rgb, Pixel* gray, int height, int width) {
  const int pixels = height * width;
  if (pixels == 0) return;
  const int blocks = pixels / 256 + 1;
  gray_kernel<<<blocks < 2048 ? blocks : 2048, 256>>>(rgb, gray, pixels);
  if (cudaGetLastError() != cudaSuccess) return;
}

void box_blur(const Pixel* image, Pixel* blurred, int height, int width, int radius) {
  if (height == 0 || width == 0) return;
  const dim3 grid((width + kWidth - 1) / kWidth, (height + kHeight - 1) / kHeight);
  blur_kernel<<<grid, dim3(kWidth, kHeight)>>>(image, blurred, height, width, radius);
  if (cudaGetLastError() != cudaSuccess) return;
}
