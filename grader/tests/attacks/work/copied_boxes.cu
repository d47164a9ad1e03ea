// lab:     transpose
// tries:   copies each column with cudaMemcpy3DAsync, and then the whole matrix with a kernel
// fails:   loads-once coalesced-loads coalesced-stores
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
  float* turned;
  cudaMalloc(&turned, n * sizeof(float));

  cudaMemcpy3DParms p = {};
  for (int c = 0; c < columns; ++c) {
    p.srcPtr = make_cudaPitchedPtr(const_cast<float*>(in + c), columns * sizeof(float),
                                   sizeof(float), rows);
    p.dstPtr = make_cudaPitchedPtr(turned + static_cast<size_t>(c) * rows, sizeof(float),
                                   sizeof(float), rows);
    p.extent = make_cudaExtent(sizeof(float), rows, 1);
    p.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&p);
  }
  put<<<(n + 255) / 256, 256>>>(turned, out, n);
  cudaFree(turned);
}
