#include "recurrence.h"
#include <cuda_runtime.h>

__global__ void step(const unsigned* a, unsigned* x, int n, unsigned start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned before = i == 0 ? start : x[i - 1];
  x[i] = a[i] * before + x[i];
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  if (n == 0) return;
  step<<<(n + 255) / 256, 256>>>(a, x, n, start);
  if (cudaGetLastError() != cudaSuccess) return;
}
