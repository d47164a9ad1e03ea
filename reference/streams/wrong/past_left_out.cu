// verdict: fails-correctness
// pitfall: P10
// caught-by: case "tail"
// Each chunk is filtered as if there were nothing before it.
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
constexpr int kLanes = 4;
constexpr int kChunk = 1 << 18;  // elements: 1 MiB

__global__ void filter_kernel(const float* in, const float* weights, float* out, int past,
                              int count, int taps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int used = min(taps, past + i + 1);
  float sum = 0;
  for (int t = 0; t < used; ++t) sum += weights[t] * in[past + i - t];
  out[i] = sum;
}

// A stream with room for a chunk and the values before it, on both sides.
struct Lane {
  cudaStream_t stream = nullptr;
  float *pinned_in = nullptr, *pinned_out = nullptr;
  float *d_in = nullptr, *d_out = nullptr;
  int first = 0;  // of the chunk under way
  int count = 0;  // 0: none is
};

// Waits for the chunk under way and hands its results to the caller.
void collect(Lane& lane, float* out) {
  if (lane.count == 0) return;
  CHECK(cudaStreamSynchronize(lane.stream));
  std::memcpy(out + lane.first, lane.pinned_out, lane.count * sizeof(float));
  lane.count = 0;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  const size_t most_out = std::min(n, kChunk) * sizeof(float);
  const size_t most_in = most_out + (taps - 1) * sizeof(float);
  float* d_weights;
  CHECK(cudaMalloc(&d_weights, taps * sizeof(float)));
  CHECK(cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice));
  Lane lanes[kLanes];
  for (Lane& lane : lanes) {
    CHECK(cudaStreamCreate(&lane.stream));
    CHECK(cudaMallocHost(&lane.pinned_in, most_in));
    CHECK(cudaMallocHost(&lane.pinned_out, most_out));
    CHECK(cudaMalloc(&lane.d_in, most_in));
    CHECK(cudaMalloc(&lane.d_out, most_out));
  }

  for (int first = 0, turn = 0; first < n; first += kChunk, turn = (turn + 1) % kLanes) {
    Lane& lane = lanes[turn];
    collect(lane, out);
    lane.first = first;
    lane.count = std::min(kChunk, n - first);
    const int past = 0;
    const size_t used = (past + lane.count) * sizeof(float);
    std::memcpy(lane.pinned_in, in + first - past, used);
    CHECK(cudaMemcpyAsync(lane.d_in, lane.pinned_in, used, cudaMemcpyHostToDevice, lane.stream));
    filter_kernel<<<(lane.count + kBlock - 1) / kBlock, kBlock, 0, lane.stream>>>(
        lane.d_in, d_weights, lane.d_out, past, lane.count, taps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(lane.pinned_out, lane.d_out, lane.count * sizeof(float),
                          cudaMemcpyDeviceToHost, lane.stream));
  }

  for (Lane& lane : lanes) {
    collect(lane, out);
    CHECK(cudaStreamDestroy(lane.stream));
    CHECK(cudaFreeHost(lane.pinned_in));
    CHECK(cudaFreeHost(lane.pinned_out));
    CHECK(cudaFree(lane.d_in));
    CHECK(cudaFree(lane.d_out));
  }
  CHECK(cudaFree(d_weights));
}
