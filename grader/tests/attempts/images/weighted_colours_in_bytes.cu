#include "images.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace {

template <typename T>
struct Color {
  T red, green, blue;
  __device__ T luma() const {
    T weighted = 3 * red + 6 * green + blue;
    return weighted / 10;
  }
};

using Pixel = Color<std::uint8_t>;

__global__ void gray_of(const Pixel* in, std::uint8_t* out, int pixels) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x) {
    out[i] = in[i].luma();
  }
}

constexpr int kSide = 16;
constexpr int kHalo = 8;

__global__ void blur(const std::uint8_t* in, std::uint8_t* out, int rows, int cols, int radius) {
  __shared__ std::uint8_t tile[kSide + 2 * kHalo][kSide + 2 * kHalo];
  const int r0 = blockIdx.y * kSide - radius;
  const int c0 = blockIdx.x * kSide - radius;
  const int side = kSide + 2 * radius;
  for (int k = threadIdx.y * kSide + threadIdx.x; k < side * side; k += kSide * kSide) {
    const int r = r0 + k / side;
    const int c = c0 + k % side;
    tile[k / side][k % side] = r >= 0 && r < rows && c >= 0 && c < cols ? in[r * cols + c] : 0;
  }
  __syncthreads();
  const int row = blockIdx.y * kSide + threadIdx.y;
  const int col = blockIdx.x * kSide + threadIdx.x;
  if (row >= rows || col >= cols) return;
  int sum = 0;
  for (int p = 0; p <= 2 * radius; ++p)
    for (int q = 0; q <= 2 * radius; ++q) sum += tile[threadIdx.y + p][threadIdx.x + q];
  const int high = min(rows - 1, row + radius) - max(0, row - radius) + 1;
  const int wide = min(cols - 1, col + radius) - max(0, col - radius) + 1;
  out[row * cols + col] = static_cast<std::uint8_t>(sum / (high * wide));
}

}  // namespace

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
  const int pixels = height * width;
  if (pixels == 0) return;
  const int blocks = (pixels + 255) / 256;
  gray_of<<<blocks < 1024 ? blocks : 1024, 256>>>(reinterpret_cast<const Pixel*>(rgb), gray, pixels);
  if (cudaGetLastError() != cudaSuccess) return;
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
  if (height * width == 0) return;
  blur<<<dim3((width + kSide - 1) / kSide, (height + kSide - 1) / kSide), dim3(kSide, kSide)>>>(
      image, blurred, height, width, radius);
  if (cudaGetLastError() != cudaSuccess) return;
}
