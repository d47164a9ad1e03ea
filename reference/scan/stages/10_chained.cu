// Rung 10: one pass, each tile waits for the one in front of it.
//
// No barrier over the grid: sums travel in one direction only, from tile to tile. A block adds up
// its tile, waits until the tile in front has published the sum of everything up to its end, and
// publishes its own. Two rules make that safe:
//  - The order in which blocks start is unspecified, so a block may not take the tile of its own
//  number: it
//    could wait for one that has no room to start. It draws a number instead; whoever has drawn a
//    smaller one is running already.
//  - The sum must be visible before the flag that announces it: a fence between the two on the
//    writer's side, and between the flag and the sum on the reader's.
// Cost: one read and one write per element. But the sums travel through n / 2048 tiles one after
// the other, a round trip to the second-level cache each.
#include "scan.h"

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
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 8;  // neighbouring elements per thread
constexpr int kTile = kBlock * kItems;  // elements per block
constexpr unsigned kAllLanes = 0xffffffffu;

// Where element k of a tile lies in shared memory. A thread's elements are neighbours, so the lanes
// of a warp are 8 words apart, in only four banks; a free word after every 32 spreads them.
__device__ int at(int k) {
  return k + (k >> 5);
}
constexpr int kTileWords = kTile + kTile / 32;

// Inclusive scan over the 32 lanes of a warp: Kogge-Stone through registers.
__device__ float scan_warp(float x, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    const float left = __shfl_up_sync(kAllLanes, x, d);  // every lane takes part ...
    if (lane >= d) x += left;  // ... but the first d have nobody in front of them
  }
  return x;
}

// Exclusive scan over the threads of a block, one number each; `total` becomes the sum of all.
__device__ float scan_threads(float own, float* warp_sums, float* total) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const float inclusive = scan_warp(own, lane);
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    const float sum = scan_warp(lane < kWarps ? warp_sums[lane] : 0.0f, lane);
    if (lane < kWarps) warp_sums[lane] = sum;
  }
  __syncthreads();
  const float lane_before = __shfl_up_sync(kAllLanes, inclusive, 1);
  *total = warp_sums[kWarps - 1];
  return (warp > 0 ? warp_sums[warp - 1] : 0.0f) + (lane > 0 ? lane_before : 0.0f);
}

// Neighbouring threads load neighbouring elements, whoever is to add them.
__device__ void load_tile(float* tile, const float* values, int begin, int n) {
  for (int k = threadIdx.x; k < kTile; k += kBlock) {
    tile[at(k)] = begin + k < n ? values[begin + k] : 0.0f;
  }
}

__device__ void store_tile(const float* tile, float* sums, int begin, int n) {
  for (int k = threadIdx.x; k < kTile; k += kBlock) {
    if (begin + k < n) sums[begin + k] = tile[at(k)];
  }
}

// The sum of the thread's own elements.
__device__ float sum_items(const float* tile) {
  float sum = 0.0f;
  for (int j = 0; j < kItems; ++j) sum += tile[at(threadIdx.x * kItems + j)];
  return sum;
}

// Replaces the thread's own elements by their prefix sums, `before` being what is in front of them.
__device__ void scan_items(float* tile, float before, int exclusive) {
  float sum = before;
  for (int j = 0; j < kItems; ++j) {
    float& element = tile[at(threadIdx.x * kItems + j)];
    const float next = sum + element;
    element = exclusive == 0 ? next : sum;
    sum = next;
  }
}

// Scratch memory, zeroed before the launch.
struct Chain {
  int* next_tile;  // the tile that the next block takes
  volatile int* ready;  // 1 when sum[i] is there
  volatile float* sum;  // of all elements up to the end of tile i
};

__global__ void scan_chained(const float* values, float* sums, Chain chain, int n, int exclusive) {
  __shared__ float tile[kTileWords];
  __shared__ float warp_sums[kWarps];
  __shared__ int drawn;
  __shared__ float sum_before;
  if (threadIdx.x == 0) drawn = atomicAdd(chain.next_tile, 1);
  __syncthreads();
  const int number = drawn;
  const int begin = number * kTile;

  load_tile(tile, values, begin, n);
  __syncthreads();
  float total;
  const float in_tile = scan_threads(sum_items(tile), warp_sums, &total);

  if (threadIdx.x == 0) {
    float before = 0.0f;
    if (number > 0) {
      while (chain.ready[number - 1] == 0) {
      }
      __threadfence();  // the sum is read after the flag
      before = chain.sum[number - 1];
    }
    chain.sum[number] = before + total;
    __threadfence();  // the sum is visible before the flag
    chain.ready[number] = 1;
    sum_before = before;
  }
  __syncthreads();

  scan_items(tile, sum_before + in_tile, exclusive);
  __syncthreads();
  store_tile(tile, sums, begin, n);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int tiles = (n + kTile - 1) / kTile;
  int* scratch;  // the counter, the flags and the sums, 4 bytes each
  const size_t bytes = (1 + 2 * static_cast<size_t>(tiles)) * 4;
  CHECK(cudaMalloc(&scratch, bytes));
  CHECK(cudaMemset(scratch, 0, bytes));
  const Chain chain{scratch, scratch + 1, reinterpret_cast<float*>(scratch + 1 + tiles)};
  scan_chained<<<tiles, kBlock>>>(values, sums, chain, n, exclusive);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(scratch));
}
