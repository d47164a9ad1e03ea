// lab:     streams
// does:    has the weights in constant memory, reversed on the host
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <array>

#include "streams.h"

__constant__ float reversed[64];

__global__ void filter_kernel(const float* in, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = max(0, taps - 1 - i); t < taps; ++t) sum += reversed[t] * in[i - (taps - 1) + t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  std::array<float, 64> turned{};
  std::reverse_copy(weights, weights + taps, turned.begin());
  cudaMemcpyToSymbol(reversed, turned.data(), sizeof(turned));
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemcpy(x, in, n * sizeof(float), cudaMemcpyHostToDevice);
  filter_kernel<<<(n + 255) / 256, 256>>>(x, y, n, taps);
  cudaMemcpy(out, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(x);
  cudaFree(y);
}
