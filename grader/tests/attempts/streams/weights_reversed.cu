#include "streams.h"
#include <cuda_runtime.h>

__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0.0f;
    // how many values before me are there?
    int last = taps - 1;
    if (last > i) last = i;
    for (int t = 0; t <= last; t++)
      s += weights[taps - 1 - t] * in[i - t];
    out[i] = s;
  }
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float *dIn = 0, *dW = 0, *dOut = 0;
  cudaMalloc(&dIn, n * 4);
  cudaMalloc(&dW, taps * 4);
  cudaMalloc(&dOut, n * 4);
  cudaMemcpy(dIn, in, n * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(dW, weights, taps * 4, cudaMemcpyHostToDevice);
  filter_kernel<<<(n + 127) / 128, 128>>>(dIn, dW, dOut, n, taps);
  if (cudaGetLastError() == cudaSuccess)
    cudaMemcpy(out, dOut, n * 4, cudaMemcpyDeviceToHost);
  cudaFree(dIn);
  cudaFree(dW);
  cudaFree(dOut);
}
