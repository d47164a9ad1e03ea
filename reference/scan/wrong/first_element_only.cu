// verdict: fails-correctness
// pitfall: none
// caught-by: case "a hundred"
// Trivial: one sum is right, the others are never written.
#include "scan.h"

#include <cuda_runtime.h>

__global__ void first(const float* x, float* y, int exclusive) {
  y[0] = exclusive ? 0.0f : x[0];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n > 0) first<<<1, 1>>>(values, sums, exclusive);
}
