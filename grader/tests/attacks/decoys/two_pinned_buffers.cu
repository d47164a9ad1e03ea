// lab:     streams
// does:    stages chunks in two pinned buffers in turn, each with an event that says it is free
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>

#include "streams.h"

constexpr int kChunk = 40000;

__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i; ++t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float *x, *w, *y, *pinned[2];
  cudaEvent_t free[2];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&w, taps * sizeof(float));
  for (int b = 0; b < 2; ++b) {
    cudaMallocHost(&pinned[b], kChunk * sizeof(float));
    cudaEventCreateWithFlags(&free[b], cudaEventDisableTiming);
  }
  cudaMemcpyAsync(w, weights, taps * sizeof(float), cudaMemcpyHostToDevice, stream);
  int b = 0;
  for (int first = 0; first < n; first += kChunk, b = 1 - b) {
    const int count = std::min(kChunk, n - first);
    cudaEventSynchronize(free[b]);  // an event that was never recorded is complete
    std::memcpy(pinned[b], in + first, count * sizeof(float));
    cudaMemcpyAsync(x + first, pinned[b], count * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(free[b], stream);
  }
  filter_kernel<<<(n + 191) / 192, 192, 0, stream>>>(x, w, y, n, taps);
  // And back through the same buffers, one chunk behind.
  float* waiting = nullptr;
  int waiting_count = 0;
  for (int first = 0; first < n; first += kChunk, b = 1 - b) {
    const int count = std::min(kChunk, n - first);
    cudaMemcpyAsync(pinned[b], y + first, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(free[b], stream);
    if (waiting != nullptr) {
      cudaEventSynchronize(free[1 - b]);
      std::memcpy(waiting, pinned[1 - b], waiting_count * sizeof(float));
    }
    waiting = out + first;
    waiting_count = count;
  }
  cudaStreamSynchronize(stream);
  std::memcpy(waiting, pinned[1 - b], waiting_count * sizeof(float));
  for (int i = 0; i < 2; ++i) {
    cudaFreeHost(pinned[i]);
    cudaEventDestroy(free[i]);
  }
  cudaFree(x);
  cudaFree(y);
  cudaFree(w);
  cudaStreamDestroy(stream);
}
