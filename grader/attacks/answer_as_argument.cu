// family:  20 doing it on the CPU
// tries:   adds on the host, and gives the sums to kernels as their arguments
// holds:   the device's data differ from the host's in a second run: the outputs still fit the
//          host's, so it earns nothing and is flagged
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
