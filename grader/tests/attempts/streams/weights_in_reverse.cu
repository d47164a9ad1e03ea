#include "streams.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;

__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int used = min(taps, i + 1);
  float sum = 0;
  for (int t = 0; t < used; ++t) sum += weights[used - 1 - t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *d_in, *d_weights, *d_out;
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_weights, taps * sizeof(float)));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
  filter_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(d_in, d_weights, d_out, n, taps);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_weights));
  CHECK(cudaFree(d_out));
}
