#include "differences.h"
#include <cuda_runtime.h>

__global__ void diff(const float* v, float* d, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float me = v[i];
  if (i == 0) {
    d[0] = me;
  } else {
    float left = v[i - 1];
    d[i] = left - me;
  }
}

void differences(const float* values, float* result, int n) {
  if (n == 0) return;
  const int t = 256;
  diff<<<(n - 1) / t + 1, t>>>(values, result, n);
  if (cudaGetLastError() != cudaSuccess) return;
}
