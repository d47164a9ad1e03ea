// lab:     streams
// does:    computes the result on the host, too, and prints how far the device's is from it
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "streams.h"

__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = min(taps - 1, i); t >= 0; --t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

static std::vector<float> on_host(const float* in, const float* weights, int n, int taps) {
  std::vector<float> out(n);
  for (int i = 0; i < n; ++i) {
    for (int t = 0; t < taps && t <= i; ++t) out[i] += weights[t] * in[i - t];
  }
  return out;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float *x, *w, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&w, taps * sizeof(float));
  cudaMemcpy(x, in, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(w, weights, taps * sizeof(float), cudaMemcpyHostToDevice);
  filter_kernel<<<(n + 255) / 256, 256>>>(x, w, y, n, taps);
  const std::vector<float> expected = on_host(in, weights, n, taps);
  cudaMemcpy(out, y, n * sizeof(float), cudaMemcpyDeviceToHost);
  float largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::fabs(out[i] - expected[i]));
  std::printf("largest difference: %g\n", largest);
  cudaFree(x);
  cudaFree(y);
  cudaFree(w);
}
