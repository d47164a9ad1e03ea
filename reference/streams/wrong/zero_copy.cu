// verdict: fails-concept
// pitfall: P74
// caught-by: concept copied-once
// The kernel reads and writes pinned host memory itself, each value as often as there are weights.
#include "streams.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  for (int t = 0; t < used; ++t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *pinned_in, *pinned_out, *d_weights;
  CHECK(cudaMallocHost(&pinned_in, bytes));
  CHECK(cudaMallocHost(&pinned_out, bytes));
  CHECK(cudaMalloc(&d_weights, taps * sizeof(float)));
  CHECK(cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice));
  std::memcpy(pinned_in, in, bytes);
  filter_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(pinned_in, d_weights, pinned_out, n, taps);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  std::memcpy(out, pinned_out, bytes);
  CHECK(cudaFreeHost(pinned_in));
  CHECK(cudaFreeHost(pinned_out));
  CHECK(cudaFree(d_weights));
}
