// family:  20 doing it on the CPU
// tries:   computes the sums on the host in a pinned buffer, and copies them to the device and back
// holds:   in the decoy run the device's inputs differ from the host's, and the outputs are
//          consistent with the host's: the case earns nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <cstring>

#include "vecadd.h"

__global__ void touch(float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] *= 1.0f;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *pinned, *dc;
  cudaMallocHost(&pinned, bytes);
  cudaMalloc(&dc, bytes);
  for (int i = 0; i < n; ++i) pinned[i] = a[i] + b[i];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(dc, pinned, bytes, cudaMemcpyHostToDevice, stream);
  touch<<<(n + 255) / 256, 256, 0, stream>>>(dc, n);
  cudaMemcpyAsync(pinned, dc, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  memcpy(c, pinned, bytes);
  cudaStreamDestroy(stream);
  cudaFree(dc);
  cudaFreeHost(pinned);
}
