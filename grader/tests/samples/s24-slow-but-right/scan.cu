#include "scan.h"

#include <cuda_runtime.h>

// One block walks over the array, 1024 elements at a time, and carries the sum along.
__global__ void walk(const float* values, float* sums, int n, int exclusive) {
  __shared__ float now[1024], next[1024];
  float carry = 0;
  for (int base = 0; base < n; base += 1024) {
    const int i = base + threadIdx.x;
    float *from = now, *to = next;
    from[threadIdx.x] = i < n ? values[i] : 0;
    __syncthreads();
    for (int d = 1; d < 1024; d <<= 1) {
      to[threadIdx.x] =
          threadIdx.x >= d ? from[threadIdx.x] + from[threadIdx.x - d] : from[threadIdx.x];
      __syncthreads();
      float* swap = from;
      from = to;
      to = swap;
    }
    if (i < n) {
      const float before = threadIdx.x == 0 ? 0 : from[threadIdx.x - 1];
      sums[i] = carry + (exclusive ? before : from[threadIdx.x]);
    }
    carry += from[1023];
    __syncthreads();
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n > 0) walk<<<1, 1024>>>(values, sums, n, exclusive);
}
