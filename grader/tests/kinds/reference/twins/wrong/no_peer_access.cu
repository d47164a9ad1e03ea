// verdict: fails-correctness
// pitfall: none
// caught-by: finding no-peer-access
// Device 1 uses the pointers of device 0 as they are.
#include "twins.h"

__global__ void thrice(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}

void twins(const float* in, float* out, int n) {
  const int first = n / 2;
  const int rest = n - first;
  thrice<<<(first + 63) / 64, 64>>>(in, out, first);
  cudaSetDevice(1);
  thrice<<<(rest + 63) / 64, 64>>>(in + first, out + first, rest);
  cudaSetDevice(0);
}
