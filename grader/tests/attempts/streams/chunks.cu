#include "streams.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                       \
  do {                                                                    \
    cudaError_t e = (call);                                               \
    if (e != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e));     \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

constexpr int kStreams = 3;
constexpr int kChunk = 1 << 18;

__global__ void fir(const float* in, const float* w, float* out, int count, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i; ++t) sum += w[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;

  float *h_in, *h_out, *d_in, *d_out, *d_w;
  const size_t bytes = sizeof(float) * n;
  CHECK(cudaMallocHost(&h_in, bytes));
  CHECK(cudaMallocHost(&h_out, bytes));
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMalloc(&d_w, sizeof(float) * taps));
  CHECK(cudaMemcpy(d_w, weights, sizeof(float) * taps, cudaMemcpyHostToDevice));

  cudaStream_t stream[kStreams];
  for (auto& s : stream) CHECK(cudaStreamCreate(&s));

  for (int first = 0, number = 0; first < n; first += kChunk, ++number) {
    const int count = std::min(kChunk, n - first);
    cudaStream_t s = stream[number % kStreams];
    std::memcpy(h_in + first, in + first, sizeof(float) * count);
    CHECK(cudaMemcpyAsync(d_in + first, h_in + first, sizeof(float) * count,
                          cudaMemcpyHostToDevice, s));
    fir<<<(count + 255) / 256, 256, 0, s>>>(d_in + first, d_w, d_out + first, count, taps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(h_out + first, d_out + first, sizeof(float) * count,
                          cudaMemcpyDeviceToHost, s));
  }
  for (auto& s : stream) CHECK(cudaStreamSynchronize(s));
  std::memcpy(out, h_out, bytes);

  for (auto& s : stream) CHECK(cudaStreamDestroy(s));
  CHECK(cudaFreeHost(h_in));
  CHECK(cudaFreeHost(h_out));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_w));
}
