#include "streams.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>

namespace {

constexpr int kChunk = 1 << 16;
constexpr int kStreams = 2;

// in has `before` values in front of the chunk.
__global__ void fir(const float* in, const float* weights, float* out, int count, int before, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i + before; ++t) sum += weights[t] * in[i + before - t];
  out[i] = sum;
}

}  // namespace

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  const size_t room = (kChunk + 64) * sizeof(float);
  float* stage[kStreams];
  float* d_in[kStreams];
  float* d_out[kStreams];
  float* results;
  float* d_weights;
  cudaStream_t stream[kStreams];
  cudaMalloc(&d_weights, taps * sizeof(float));
  cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice);
  cudaMallocHost(&results, n * sizeof(float));
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMallocHost(&stage[s], room);
    cudaMalloc(&d_in[s], room);
    cudaMalloc(&d_out[s], kChunk * sizeof(float));
  }

  int s = 0;
  for (int first = 0; first < n; first += kChunk) {
    const int count = std::min(kChunk, n - first);
    const int before = std::min(first, taps - 1);
    std::memcpy(stage[s], in + first - before, (count + before) * sizeof(float));
    cudaMemcpyAsync(d_in[s], stage[s], (count + before) * sizeof(float), cudaMemcpyHostToDevice, stream[s]);
    fir<<<(count + 255) / 256, 256, 0, stream[s]>>>(d_in[s], d_weights, d_out[s], count, before, taps);
    cudaMemcpyAsync(results + first, d_out[s], count * sizeof(float), cudaMemcpyDeviceToHost, stream[s]);
    s = (s + 1) % kStreams;
  }
  for (int k = 0; k < kStreams; ++k) cudaStreamSynchronize(stream[k]);
  if (cudaGetLastError() == cudaSuccess) std::memcpy(out, results, n * sizeof(float));

  for (int k = 0; k < kStreams; ++k) {
    cudaFree(d_in[k]);
    cudaFree(d_out[k]);
    cudaStreamDestroy(stream[k]);
  }
  cudaFree(d_weights);
}
