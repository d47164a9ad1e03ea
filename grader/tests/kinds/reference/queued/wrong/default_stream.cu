// verdict: fails-safety
// pitfall: none
// caught-by: finding stream-race
// Uses the default stream, which does not wait for the input.
#include "queued.h"

__global__ void thrice(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}

void queued(const float* in, float* out, int n, cudaStream_t stream) {
  thrice<<<(n + 63) / 64, 64>>>(in, out, n);
}
