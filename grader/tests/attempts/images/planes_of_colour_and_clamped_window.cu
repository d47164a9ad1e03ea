#include "images.h"
#include <cuda_runtime.h>

__device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

__global__ void gray_kernel(const unsigned char* __restrict__ rgb, unsigned char* __restrict__ gray,
                            int height, int width)
{
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) return;

  const int idx = row * width + col;
  const int plane = height * width;
  const int red = rgb[idx];
  const int green = rgb[plane + idx];
  const int blue = rgb[2 * plane + idx];
  gray[idx] = static_cast<unsigned char>((3 * red + 6 * green + blue) / 10);
}

__global__ void blur_kernel(const unsigned char* __restrict__ image, unsigned char* __restrict__ blurred,
                            int height, int width, int radius)
{
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width) return;

  int sum = 0, count = 0;
  for (int dr = -radius; dr <= radius; ++dr) {
    for (int dc = -radius; dc <= radius; ++dc) {
      const int r = clampi(row + dr, 0, height - 1);
      const int c = clampi(col + dc, 0, width - 1);
      sum += image[r * width + c];
      ++count;
    }
  }
  blurred[row * width + col] = static_cast<unsigned char>(sum / count);
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width)
{
  if (height == 0 || width == 0) return;
  dim3 block(32, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  gray_kernel<<<grid, block>>>(rgb, gray, height, width);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius)
{
  if (height == 0 || width == 0) return;
  dim3 block(32, 8);
  dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  blur_kernel<<<grid, block>>>(image, blurred, height, width, radius);
}
