// family:  20 doing it on the CPU
// tries:   adds on the host into managed memory with one bit flipped, which a kernel flips back
// holds:   the device's data differ from the host's in a second run: the outputs still fit the
//          host's, so it earns nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include <cstring>

#include "vecadd.h"

__global__ void flip(unsigned* words, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) words[i] ^= 1u << 22;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  unsigned* words;
  cudaMallocManaged(&words, n * sizeof(unsigned));
  for (int i = 0; i < n; ++i) {
    const float sum = a[i] + b[i];
    memcpy(&words[i], &sum, sizeof sum);
    words[i] ^= 1u << 22;
  }
  flip<<<(n + 255) / 256, 256>>>(words, n);
  cudaDeviceSynchronize();
  memcpy(c, words, n * sizeof(float));
  cudaFree(words);
}
