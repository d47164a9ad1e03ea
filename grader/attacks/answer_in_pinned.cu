// family:  20 doing it on the CPU
// tries:   adds on the host into a pinned buffer, and sends that to the device and back
// holds:   the device's data differ from the host's in a second run: the outputs still fit the
//          host's, so it earns nothing and is flagged
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
