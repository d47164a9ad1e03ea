// lab:     streams
// does:    copies in on one stream, computes on a second, copies out on a third, ordered by events
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "streams.h"

constexpr int kChunk = 1 << 16;

__global__ void filter_kernel(const float* in, const float* weights, float* out, int first, int n,
                              int taps) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i; ++t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  enum { kIn, kWork, kOut, kStreams };
  cudaStream_t streams[kStreams];
  for (auto& s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  float *x, *w, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&w, taps * sizeof(float));
  cudaMemcpyAsync(w, weights, taps * sizeof(float), cudaMemcpyHostToDevice, streams[kIn]);
  std::vector<cudaEvent_t> events;
  const auto after = [&](int before, int then) {
    cudaEvent_t event;
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    cudaEventRecord(event, streams[before]);
    cudaStreamWaitEvent(streams[then], event, 0);
    events.push_back(event);
  };
  for (int first = 0; first < n; first += kChunk) {
    const int count = std::min(kChunk, n - first);
    cudaMemcpyAsync(x + first, in + first, count * sizeof(float), cudaMemcpyHostToDevice,
                    streams[kIn]);
    after(kIn, kWork);
    filter_kernel<<<(count + 255) / 256, 256, 0, streams[kWork]>>>(x, w, y, first, first + count,
                                                                   taps);
    after(kWork, kOut);
    cudaMemcpyAsync(out + first, y + first, count * sizeof(float), cudaMemcpyDeviceToHost,
                    streams[kOut]);
  }
  for (auto& s : streams) {
    cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
  for (cudaEvent_t event : events) cudaEventDestroy(event);
  cudaFree(x);
  cudaFree(y);
  cudaFree(w);
}
