// family:  11 reading the reference
// tries:   copies what lies in fresh device memory, hoping for the expected output
// holds:   expected values are in the parent only; reads of uninitialized memory are found
// over:    nothing
// ends:    any
// flag:    none

#include <cuda_runtime.h>
#include "vecadd.h"

void vecadd(const float*, const float*, float* c, int n) {
  if (n == 0) return;
  float* left;
  cudaMalloc(&left, n * sizeof(float));
  cudaMemcpy(c, left, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(left);
}
