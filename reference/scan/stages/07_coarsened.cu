// Rung 7: eight elements per thread.
//
// A thread adds up eight neighbours in a plain loop, which costs no shuffle and no barrier; only
// the threads' sums are scanned together. Barriers, shuffles and totals become an eighth. So that a
// warp still loads neighbours, the tile passes through shared memory: loaded across the threads,
// added along each thread's own eight.
// Cost: 2 additions per element plus those of the 256 sums; global traffic as before, two reads and
// two writes per element.
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

// Scans each tile by itself. totals[b] becomes the sum of block b's tile.
__global__ void scan_tiles(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float tile[kTileWords];
  __shared__ float warp_sums[kWarps];
  const int begin = blockIdx.x * kTile;
  load_tile(tile, values, begin, n);
  __syncthreads();
  float total;
  const float before = scan_threads(sum_items(tile), warp_sums, &total);
  scan_items(tile, before, exclusive);
  __syncthreads();
  store_tile(tile, sums, begin, n);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;
}

// One block: before[b] becomes totals[0] + ... + totals[b-1], piece by piece with a carry.
__global__ void scan_totals(const float* totals, float* before, int count) {
  __shared__ float warp_sums[kWarps];
  float carry = 0.0f;
  for (int begin = 0; begin < count; begin += kBlock) {
    const int i = begin + threadIdx.x;
    float total;
    const float sum = scan_threads(i < count ? totals[i] : 0.0f, warp_sums, &total);
    if (i < count) before[i] = carry + sum;
    carry += total;
    __syncthreads();  // all have read the sums before the next piece overwrites them
  }
}

// Adds to each element the sum of all tiles before its own.
__global__ void add_before(float* sums, const float* before, int n) {
  const int begin = blockIdx.x * kTile;
  const float sum = before[blockIdx.x];
  for (int k = threadIdx.x; k < kTile; k += kBlock) {
    if (begin + k < n) sums[begin + k] += sum;
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int tiles = (n + kTile - 1) / kTile;
  float* totals;
  float* before;
  CHECK(cudaMalloc(&totals, tiles * sizeof(float)));
  CHECK(cudaMalloc(&before, tiles * sizeof(float)));
  scan_tiles<<<tiles, kBlock>>>(values, sums, totals, n, exclusive);
  CHECK(cudaGetLastError());
  if (tiles > 1) {
    scan_totals<<<1, kBlock>>>(totals, before, tiles);
    CHECK(cudaGetLastError());
    add_before<<<tiles, kBlock>>>(sums, before, n);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaFree(totals));
  CHECK(cudaFree(before));
}
