// family:  20 doing it on the CPU
// tries:   computes the sums on the host, and a kernel copies them to the output
// holds:   in the decoy run the outputs are consistent with the host's inputs; the flag says that
//          the kernel read no input
// over:    nothing
// ends:    any
// flag:    output-without-inputs

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void copy_answer(const float* answer, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = answer[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  std::vector<float> sum(n);
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];
  const size_t bytes = n * sizeof(float);
  float *x, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&z, bytes);
  cudaMemcpy(x, sum.data(), bytes, cudaMemcpyHostToDevice);
  copy_answer<<<(n + 255) / 256, 256>>>(x, z, n);
  cudaMemcpy(c, z, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(z);
}
