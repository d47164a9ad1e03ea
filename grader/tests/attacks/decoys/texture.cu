// lab:     convolution
// does:    copies the image into an array and reads it through a texture, with zeros at the border
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "convolution.h"

constexpr int kWidest = 2048;  // images of other shapes are read from global memory

__global__ void convolve(cudaTextureObject_t image, const float* mask, float* result, int height,
                         int width, int mask_height, int mask_width) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || column >= width) return;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      const float x = static_cast<float>(column + j - mask_width / 2) + 0.5f;
      const float y = static_cast<float>(row + i - mask_height / 2) + 0.5f;
      sum += mask[i * mask_width + j] * tex2D<float>(image, x, y);
    }
  }
  result[static_cast<size_t>(row) * width + column] = sum;
}

__global__ void convolve_plain(const float* image, const float* mask, float* result, int height,
                               int width, int mask_height, int mask_width) {
  const long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= static_cast<long long>(height) * width) return;
  const int row = at / width;
  const int column = at % width;
  float sum = 0;
  for (int i = 0; i < mask_height; ++i) {
    for (int j = 0; j < mask_width; ++j) {
      const int y = row + i - mask_height / 2;
      const int x = column + j - mask_width / 2;
      if (y < 0 || y >= height || x < 0 || x >= width) continue;
      sum += mask[i * mask_width + j] * image[static_cast<size_t>(y) * width + x];
    }
  }
  result[at] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width) {
  if (height == 0 || width == 0) return;
  if (height > kWidest || width > kWidest) {
    const long long all = static_cast<long long>(height) * width;
    convolve_plain<<<static_cast<unsigned>((all + 255) / 256), 256>>>(
        image, mask, result, height, width, mask_height, mask_width);
    return;
  }
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &format, width, height);
  const size_t bytes = width * sizeof(float);
  cudaMemcpy2DToArray(array, 0, 0, image, bytes, bytes, height, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  const dim3 block(16, 16);
  const dim3 grid((width + 15) / 16, (height + 15) / 16);
  convolve<<<grid, block>>>(texture, mask, result, height, width, mask_height, mask_width);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}
