#include "twins.h"

__global__ void thrice(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * in[i];
}

void twins(const float* in, float* out, int n) {
  const int first = n / 2;
  const int rest = n - first;
  thrice<<<(first + 63) / 64, 64>>>(in, out, first);
  float* there = nullptr;
  cudaSetDevice(1);
  cudaMalloc(&there, rest * sizeof(float));
  cudaMemcpyPeer(there, 1, in + first, 0, rest * sizeof(float));
  thrice<<<(rest + 63) / 64, 64>>>(there, there, rest);
  cudaMemcpyPeer(out + first, 0, there, 1, rest * sizeof(float));
  cudaFree(there);
  cudaSetDevice(0);
}
