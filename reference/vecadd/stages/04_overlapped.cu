// Rung 4: copies and kernels overlap.
//
// Over PCIe the copies take far longer than the kernel. Cut into pieces on a few streams, the copy
// of one piece runs while another is added and a third goes back. A host buffer must be pinned for
// its copy to be asynchronous; here the pieces go through pinned staging buffers, since the
// caller's are pageable.
#include "vecadd.h"

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
constexpr int kStreams = 3;
constexpr int kPiece = 1 << 18;  // elements: 1 MB an array

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// One stream with room for a piece of a, b and c on both sides.
struct Lane {
  cudaStream_t stream = nullptr;
  float* pinned = nullptr;
  float* device = nullptr;
  int begin = 0;  // of the piece under way
  int count = 0;
};

// Waits for the piece under way and hands its result to the caller.
void collect(Lane& lane, float* c, int piece) {
  CHECK(cudaStreamSynchronize(lane.stream));
  std::memcpy(c + lane.begin, lane.pinned + 2 * piece, lane.count * sizeof(float));
  lane.count = 0;
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int piece = std::min(n, kPiece);
  const size_t bytes = 3 * static_cast<size_t>(piece) * sizeof(float);
  Lane lanes[kStreams];
  for (Lane& lane : lanes) {
    CHECK(cudaStreamCreate(&lane.stream));
    CHECK(cudaMallocHost(&lane.pinned, bytes));
    CHECK(cudaMalloc(&lane.device, bytes));
  }

  int turn = 0;
  for (int begin = 0; begin < n; begin += piece, turn = (turn + 1) % kStreams) {
    Lane& lane = lanes[turn];
    if (lane.count > 0) collect(lane, c, piece);
    lane.begin = begin;
    lane.count = std::min(piece, n - begin);
    const size_t used = lane.count * sizeof(float);
    float *d_a = lane.device, *d_b = d_a + piece, *d_c = d_b + piece;
    std::memcpy(lane.pinned, a + begin, used);
    std::memcpy(lane.pinned + piece, b + begin, used);
    CHECK(cudaMemcpyAsync(d_a, lane.pinned, used, cudaMemcpyHostToDevice, lane.stream));
    CHECK(cudaMemcpyAsync(d_b, lane.pinned + piece, used, cudaMemcpyHostToDevice, lane.stream));
    add<<<(lane.count + kBlock - 1) / kBlock, kBlock, 0, lane.stream>>>(d_a, d_b, d_c, lane.count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(lane.pinned + 2 * piece, d_c, used, cudaMemcpyDeviceToHost, lane.stream));
  }

  for (Lane& lane : lanes) {
    if (lane.count > 0) collect(lane, c, piece);
    CHECK(cudaFree(lane.device));
    CHECK(cudaFreeHost(lane.pinned));
    CHECK(cudaStreamDestroy(lane.stream));
  }
}
