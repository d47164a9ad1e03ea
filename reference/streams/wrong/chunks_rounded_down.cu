// verdict: fails-correctness
// pitfall: P2
// caught-by: case "tail"
// The number of chunks is rounded down: what is left over is never filtered.
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
constexpr int kStreams = 2;
constexpr int kChunk = 1 << 18;  // elements: 1 MiB

__global__ void filter_kernel(const float* in, const float* weights, float* out, int first, int end,
                              int taps) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  const int used = min(taps, i + 1);
  float sum = 0;
  for (int t = 0; t < used; ++t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *pinned_in, *pinned_out, *d_in, *d_weights, *d_out;
  CHECK(cudaMallocHost(&pinned_in, bytes));
  CHECK(cudaMallocHost(&pinned_out, bytes));
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_weights, taps * sizeof(float)));
  CHECK(cudaMalloc(&d_out, bytes));
  CHECK(cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice));
  std::memcpy(pinned_in, in, bytes);
  cudaStream_t stream[kStreams];
  cudaEvent_t arrived[kStreams];  // of the stream's last chunk
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaStreamCreate(&stream[s]));
    CHECK(cudaEventCreateWithFlags(&arrived[s], cudaEventDisableTiming));
  }

  const int chunks = n < kChunk ? 1 : n / kChunk;
  for (int c = 0; c < chunks; ++c) {
    const int first = c * kChunk, s = c % kStreams;
    const int count = std::min(kChunk, n - first);
    const size_t used = count * sizeof(float);
    CHECK(
        cudaMemcpyAsync(d_in + first, pinned_in + first, used, cudaMemcpyHostToDevice, stream[s]));
    CHECK(cudaEventRecord(arrived[s], stream[s]));
    // The first outputs need the last values of the chunk before, which another stream copies.
    if (first > 0) CHECK(cudaStreamWaitEvent(stream[s], arrived[(s + kStreams - 1) % kStreams]));
    filter_kernel<<<(count + kBlock - 1) / kBlock, kBlock, 0, stream[s]>>>(
        d_in, d_weights, d_out, first, first + count, taps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned_out + first, d_out + first, used, cudaMemcpyDeviceToHost,
                          stream[s]));
  }
  for (int s = 0; s < kStreams; ++s) {
    CHECK(cudaStreamSynchronize(stream[s]));
    CHECK(cudaStreamDestroy(stream[s]));
    CHECK(cudaEventDestroy(arrived[s]));
  }
  std::memcpy(out, pinned_out, bytes);
  CHECK(cudaFreeHost(pinned_in));
  CHECK(cudaFreeHost(pinned_out));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_weights));
  CHECK(cudaFree(d_out));
}
