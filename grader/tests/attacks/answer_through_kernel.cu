// family:  20 doing it on the CPU
// tries:   computes the sums on the host; a kernel copies them to the output and executes the
//          expected number of loads and additions
// holds:   in the decoy run the device's inputs differ from the host's, and the outputs are
//          consistent with the host's: the case earns nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void pass_on(const float* a, const float* b, const float* sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float work = a[i] + b[i];
  c[i] = work == 12345.678f ? sums[i] + 1e-30f : sums[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  const size_t bytes = n * sizeof(float);
  float *da, *db, *ds, *dc;
  cudaMalloc(&da, bytes);
  cudaMalloc(&db, bytes);
  cudaMalloc(&ds, bytes);
  cudaMalloc(&dc, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(ds, sums.data(), bytes, cudaMemcpyHostToDevice);
  pass_on<<<(n + 255) / 256, 256>>>(da, db, ds, dc, n);
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(ds);
  cudaFree(dc);
}
