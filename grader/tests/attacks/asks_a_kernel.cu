// family:  20 doing it on the CPU
// tries:   tests whether kernels run, and then computes the sums on the host
// holds:   values that the device did not send to the host are the host's: the case earns
//          nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void answer(int* p) {
  *p = 42;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int* p;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  answer<<<1, 1>>>(p);
  int got = 0;
  cudaMemcpy(&got, p, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(p);
  if (got != 42) return;
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
