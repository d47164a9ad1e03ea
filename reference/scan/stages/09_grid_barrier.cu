// Rung 9: one kernel with a barrier over the whole grid.
//
// A cooperative launch guarantees that all blocks are on the device at once, which is what makes a
// barrier over the grid possible; without that guarantee blocks would wait for blocks that cannot
// start. So the grid is as large as the device holds and no larger, and each block has a share of
// several tiles: it adds up its share, waits for the others, adds up the totals in front of its
// own, and scans its share from there.
// Cost: two reads and one write per element, one launch, and a barrier that all blocks wait at.
#include "scan.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
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

// Two blocks keep a multiprocessor busy; more would only make the barrier slower.
constexpr int kBlocksPerMultiprocessor = 2;

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

// The sum over the threads of a block, for every thread.
__device__ float sum_threads(float own, float* warp_sums) {
  for (int d = 16; d > 0; d /= 2) own += __shfl_xor_sync(kAllLanes, own, d);
  __syncthreads();  // the sums of an earlier call have been read
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = own;
  __syncthreads();
  float sum = 0.0f;
  for (int w = 0; w < kWarps; ++w) sum += warp_sums[w];
  return sum;
}

__global__ void scan_shares(const float* values, float* sums, float* totals, int n, int share,
                            int exclusive) {
  __shared__ float tile[kTileWords];
  __shared__ float warp_sums[kWarps];
  // A share is a multiple of a tile, so only the grid's last tile can be cut off by n.
  const int first = min(static_cast<int>(blockIdx.x) * share, n);
  const int last = min(first + share, n);

  float own = 0.0f;
  for (int i = first + threadIdx.x; i < last; i += kBlock) own += values[i];
  const float total = sum_threads(own, warp_sums);
  if (threadIdx.x == 0) totals[blockIdx.x] = total;

  cooperative_groups::this_grid().sync();  // all totals are written and visible

  float earlier = 0.0f;
  for (int b = threadIdx.x; b < blockIdx.x; b += kBlock) earlier += totals[b];
  float before = sum_threads(earlier, warp_sums);

  for (int begin = first; begin < last; begin += kTile) {
    __syncthreads();  // the tile before has been stored, its sums have been read
    load_tile(tile, values, begin, n);
    __syncthreads();
    float tile_total;
    const float in_tile = scan_threads(sum_items(tile), warp_sums, &tile_total);
    scan_items(tile, before + in_tile, exclusive);
    before += tile_total;
    __syncthreads();
    store_tile(tile, sums, begin, n);
  }
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int device = 0;
  int multiprocessors = 0;
  int resident = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scan_shares, kBlock, 0));

  const int tiles = (n + kTile - 1) / kTile;
  const int room = multiprocessors * std::min(resident, kBlocksPerMultiprocessor);
  const int blocks = std::min(tiles, room);
  int share = (tiles + blocks - 1) / blocks * kTile;
  float* totals;
  CHECK(cudaMalloc(&totals, blocks * sizeof(float)));
  void* arguments[] = {&values, &sums, &totals, &n, &share, &exclusive};
  CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(scan_shares), dim3(blocks),
                                    dim3(kBlock), arguments, 0, nullptr));
  CHECK(cudaFree(totals));
}
