// family:  20 doing it on the CPU
// tries:   launches a kernel that does nothing and computes the sums on the host
// holds:   values that the device did not send to the host are the host's: the case earns
//          nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>
#include "vecadd.h"

__global__ void pretend(float* p) {
  p[threadIdx.x] = threadIdx.x;
}
void vecadd(const float* a, const float* b, float* c, int n) {
  float* p;
  cudaMalloc(&p, 128);
  pretend<<<1, 32>>>(p);
  cudaFree(p);
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
