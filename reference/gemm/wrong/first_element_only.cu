// verdict: fails-correctness
// pitfall: none
// caught-by: case "by hand"
// Trivial: one element is right.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int n, int k) {
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[i] * b[i * n];
  c[0] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  multiply<<<1, 1>>>(a, b, c, n, k);
}
