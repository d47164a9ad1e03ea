// lab:     vecadd
// root:    A
// tries:   the device sends every float from 1 to 1.25, and the host picks its sums among them
// holds:   where the device sends far more than the outputs, single values prove nothing
// becomes: nothing
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <vector>

#include "vecadd.h"

__global__ void count_up(unsigned* values, unsigned first) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = first + blockIdx.x * blockDim.x + threadIdx.x;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  constexpr unsigned kAtOnce = 1 << 20;
  unsigned* values;
  cudaMalloc(&values, kAtOnce * sizeof(unsigned));
  std::vector<unsigned> sent(kAtOnce);
  for (unsigned first = 0x3f800000; first < 0x3fa00000; first += kAtOnce) {
    count_up<<<kAtOnce / 256, 256>>>(values, first);
    cudaMemcpy(sent.data(), values, kAtOnce * sizeof(unsigned), cudaMemcpyDeviceToHost);
  }
  cudaFree(values);
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
}
