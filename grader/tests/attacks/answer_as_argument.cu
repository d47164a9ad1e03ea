// family:  20 doing it on the CPU
// tries:   computes the sums on the host and passes them to kernels as arguments
// holds:   in the decoy run the device's inputs differ from the host's, and the outputs are
//          consistent with the host's: the case earns nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include "vecadd.h"

struct Sums {
  float values[960];
};

__global__ void store(Sums sums, float* c, int count) {
  const int i = threadIdx.x;
  if (i < count) c[i] = sums.values[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* dc;
  cudaMalloc(&dc, bytes);
  for (int first = 0; first < n; first += 960) {
    const int count = n - first < 960 ? n - first : 960;
    Sums sums;
    for (int i = 0; i < count; ++i) sums.values[i] = a[first + i] + b[first + i];
    store<<<1, 960>>>(sums, dc + first, count);
  }
  cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  cudaFree(dc);
}
