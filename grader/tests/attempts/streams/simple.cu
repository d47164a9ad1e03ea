#include "streams.h"
#include <cuda_runtime.h>
#include <string.h>

// pinned buffers, one stream. Window of output i: in[i-taps+1] .. in[i]
__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int start = i - taps + 1;
    float s = 0.f;
    for (int t = 0; t < taps; t++) {
      int j = start + t;
      if (j >= 0) s += weights[t] * in[j];
    }
    out[i] = s;
  }
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n <= 0) return;
  float *pin, *pout, *din, *dout, *dw;
  size_t size = n * sizeof(float);
  cudaMallocHost((void**)&pin, size);
  cudaMallocHost((void**)&pout, size);
  cudaMalloc((void**)&din, size);
  cudaMalloc((void**)&dout, size);
  cudaMalloc((void**)&dw, taps * sizeof(float));

  memcpy(pin, in, size);
  cudaStream_t st;
  cudaStreamCreate(&st);
  cudaMemcpyAsync(dw, weights, taps * sizeof(float), cudaMemcpyHostToDevice, st);
  cudaMemcpyAsync(din, pin, size, cudaMemcpyHostToDevice, st);
  filter_kernel<<<(n + 127) / 128, 128, 0, st>>>(din, dw, dout, n, taps);
  if (cudaGetLastError() == cudaSuccess)
    cudaMemcpyAsync(pout, dout, size, cudaMemcpyDeviceToHost, st);
  cudaStreamSynchronize(st);
  memcpy(out, pout, size);

  cudaStreamDestroy(st);
  cudaFreeHost(pin); cudaFreeHost(pout);
  cudaFree(din); cudaFree(dout); cudaFree(dw);
}
