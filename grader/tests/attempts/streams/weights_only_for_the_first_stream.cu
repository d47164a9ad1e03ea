#include "streams.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>

constexpr int kChunk = 65536;
constexpr int kStreams = 3;

// in begins `before` values before the chunk's first output
__global__ void chunk_kernel(const float *in, const float *weights, float *out,
                             int count, int taps, int before) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i + before; ++t)
    sum += weights[t] * in[i + before - t];
  out[i] = sum;
}

void filter(const float *in, const float *weights, float *out, int n,
            int taps) {
  if (n == 0)
    return;
  const int chunks = (n + kChunk - 1) / kChunk;
  float *pinned_in, *pinned_out;
  cudaMallocHost(&pinned_in, n * sizeof(float));
  cudaMallocHost(&pinned_out, n * sizeof(float));
  std::memcpy(pinned_in, in, n * sizeof(float));

  cudaStream_t streams[kStreams];
  float *d_in[kStreams];
  float *d_out[kStreams];
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking);
    cudaMalloc(&d_in[s], (kChunk + taps) * sizeof(float));
    cudaMalloc(&d_out[s], kChunk * sizeof(float));
  }
  float *d_weights, *pinned_weights;
  cudaMalloc(&d_weights, taps * sizeof(float));
  cudaMallocHost(&pinned_weights, taps * sizeof(float));
  std::memcpy(pinned_weights, weights, taps * sizeof(float));
  cudaMemcpyAsync(d_weights, pinned_weights, taps * sizeof(float),
                  cudaMemcpyHostToDevice, streams[0]);
  cudaEvent_t ready;
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventRecord(ready, streams[0]);

  for (int c = 0; c < chunks; ++c) {
    const int s = c % kStreams;
    const int first = c * kChunk;
    const int count = std::min(kChunk, n - first);
    const int before = std::min(taps - 1, first);
    cudaMemcpyAsync(d_in[s], pinned_in + first - before,
                    (count + before) * sizeof(float), cudaMemcpyHostToDevice,
                    streams[s]);
    chunk_kernel<<<(count + 255) / 256, 256, 0, streams[s]>>>(
        d_in[s], d_weights, d_out[s], count, taps, before);
    cudaMemcpyAsync(pinned_out + first, d_out[s], count * sizeof(float),
                    cudaMemcpyDeviceToHost, streams[s]);
  }
  for (int s = 0; s < kStreams; ++s)
    cudaStreamSynchronize(streams[s]);
  std::memcpy(out, pinned_out, n * sizeof(float));

  for (int s = 0; s < kStreams; ++s) {
    cudaStreamSynchronize(streams[s]);
    cudaFree(d_in[s]);
    cudaFree(d_out[s]);
    cudaStreamDestroy(streams[s]);
  }
  cudaFree(d_weights);
  cudaFreeHost(pinned_weights);
  cudaFreeHost(pinned_in);
  cudaFreeHost(pinned_out);
}
