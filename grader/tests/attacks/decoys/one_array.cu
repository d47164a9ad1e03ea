// lab:     vecadd
// does:    puts both inputs into one array, which is copied at once, with the sums at its end
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void add(float* all, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    all[2 * n + i] = all[i] + all[n + i];
  }
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  std::vector<float> both(a, a + n);
  both.insert(both.end(), b, b + n);
  float* all;
  cudaMalloc(&all, 3ull * n * sizeof(float));
  cudaMemcpy(all, both.data(), both.size() * sizeof(float), cudaMemcpyHostToDevice);
  add<<<60, 320>>>(all, n);
  cudaMemcpy(c, all + 2 * n, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(all);
}
