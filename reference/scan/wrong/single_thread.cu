// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// One thread walks over the whole array.
#include "scan.h"

#include <cuda_runtime.h>

__global__ void scan_all(const float* x, float* y, int n, int exclusive) {
  float sum = 0;
  for (int i = 0; i < n; i++) {
    float next = sum + x[i];
    y[i] = exclusive ? sum : next;
    sum = next;
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n > 0) scan_all<<<1, 1>>>(values, sums, n, exclusive);
}
