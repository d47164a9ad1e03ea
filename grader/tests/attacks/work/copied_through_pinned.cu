// lab:     transpose
// tries:   copies each column into pinned memory, from where a kernel reads it
// fails:   nothing
// flags:   none
// speed:   none

#include <cuda_runtime.h>

#include "transpose.h"

__global__ void put(const float* from, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = from[i];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int n = rows * columns;
  const size_t pitch = columns * sizeof(float);
  float* turned;
  cudaMallocHost(&turned, n * sizeof(float));
  for (int c = 0; c < columns; ++c) {
    cudaMemcpy2DAsync(turned + static_cast<size_t>(c) * rows, sizeof(float), in + c, pitch,
                      sizeof(float), rows, cudaMemcpyDeviceToHost);
  }
  put<<<(n + 255) / 256, 256>>>(turned, out, n);
  cudaDeviceSynchronize();
  cudaFreeHost(turned);
}
