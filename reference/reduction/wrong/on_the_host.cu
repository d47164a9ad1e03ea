// verdict: fails-concept
// pitfall: none
// caught-by: concept loads-once
// Right, and computed on the host.
#include "reduction.h"

#include <vector>

#include <cuda_runtime.h>
#include <math.h>

float combine(float a, float b, int op) {
  if (op == kMin) return fminf(a, b);
  if (op == kMax) return fmaxf(a, b);
  return op == kProduct ? a * b : a + b;
}

void reduction(const float* values, float* result, int n, int op) {
  std::vector<float> host(n);
  cudaMemcpy(host.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  float mine = op == kMin ? INFINITY : op == kMax ? -INFINITY : op == kProduct ? 1 : 0;
  for (float value : host) mine = combine(mine, value, op);
  cudaMemcpy(result, &mine, sizeof(float), cudaMemcpyHostToDevice);
}
