// Rung 11: a warp as a group, and no shared memory at all.
//
// Cooperative groups give a warp a name: a tile of 32 threads that knows its ranks, shuffles and
// synchronises without a mask to get wrong. Here each tile reduces 64 values by itself and stores
// one partial: no shared memory, no barrier, no warp waits for another. The price is 8 times as
// many partials as with one per block, and so one launch more for large n.
#include "reduction.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
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

namespace cg = cooperative_groups;

constexpr int kBlock = 256;
constexpr int kWarp = 32;
constexpr int kSegment = 2 * kWarp;  // values a tile reduces
constexpr int kTilesABlock = kBlock / kWarp;

// An operation: the value that changes nothing, and how two values become one.
struct Sum {
  static constexpr float kIdentity = 0.0f;
  static __device__ float combine(float a, float b) { return a + b; }
};
struct Min {
  static constexpr float kIdentity = INFINITY;
  static __device__ float combine(float a, float b) { return fminf(a, b); }
};
struct Max {
  static constexpr float kIdentity = -INFINITY;
  static __device__ float combine(float a, float b) { return fmaxf(a, b); }
};
struct Product {
  static constexpr float kIdentity = 1.0f;
  static __device__ float combine(float a, float b) { return a * b; }
};

// tile_results[k] becomes what the values of segment k combine to.
template <class Op>
__global__ void reduce_tiles(const float* values, float* tile_results, unsigned n) {
  const auto tile = cg::tiled_partition<kWarp>(cg::this_thread_block());
  const unsigned segment = blockIdx.x * kTilesABlock + tile.meta_group_rank();
  const unsigned i = segment * kSegment + tile.thread_rank();
  const float first = i < n ? values[i] : Op::kIdentity;
  const float second = i + kWarp < n ? values[i + kWarp] : Op::kIdentity;
  float mine = Op::combine(first, second);
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    mine = Op::combine(mine, tile.shfl_down(mine, distance));
  }
  // Segment 0 has a result for n = 0, too: the identity.
  const bool has_values = segment == 0 || segment * kSegment < n;
  if (tile.thread_rank() == 0 && has_values) tile_results[segment] = mine;
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

// Tile by tile, then the tiles' results in the same way, until a single tile is enough.
template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  unsigned tiles = std::max(1u, ceil_div(n, kSegment));
  float* partials = nullptr;  // two rows, written and read in turn
  if (tiles > 1) CHECK(cudaMalloc(&partials, 2 * sizeof(float) * tiles));
  float* rows[] = {partials, partials + tiles};

  const float* in = values;
  unsigned count = n;
  for (int turn = 0; tiles > 1; turn = 1 - turn) {
    reduce_tiles<Op><<<ceil_div(tiles, kTilesABlock), kBlock>>>(in, rows[turn], count);
    CHECK(cudaGetLastError());
    in = rows[turn];
    count = tiles;
    tiles = ceil_div(count, kSegment);
  }
  reduce_tiles<Op><<<1, kWarp>>>(in, result, count);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(partials));
}

void reduction(const float* values, float* result, int n, int op) {
  switch (op) {
    case kSum:
      return reduce<Sum>(values, result, n);
    case kMin:
      return reduce<Min>(values, result, n);
    case kMax:
      return reduce<Max>(values, result, n);
    case kProduct:
      return reduce<Product>(values, result, n);
  }
}
