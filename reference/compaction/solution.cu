// The reference: a single pass with look-back, 16 values per thread in registers, and what is kept
// put in order in shared memory before it is stored.
//
// 4 bytes are read and 4 written per value, and nothing else of any size is moved. A tile of 8192
// values is long enough to hide what looking back costs; its values are in registers meanwhile.
// Ballots give the places: 16 per warp and tile, without a barrier. Half of the lanes of a warp
// have a value to keep, so that storing them from the registers would take two stores of half a
// warp for each group of 32, most of them with a part of a sector at either end. From shared memory
// they are stored 32 at a time, and so are the zeros.
#include "compaction.h"

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

namespace {

constexpr int kBlock = 512;
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 16;  // values per thread
constexpr int kTile = kBlock * kItems;  // values per block
constexpr unsigned kAllLanes = 0xffffffff;

// A warp has 32 * kItems adjacent values from `first` on: lane l has every 32nd of them.
__device__ void load(const int* values, int n, int first, int (&mine)[kItems]) {
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = first + 32 * k + threadIdx.x % 32;
    mine[k] = i < n ? values[i] : 0;
  }
}

__device__ int count_in_warp(const int (&mine)[kItems]) {
  int count = 0;
#pragma unroll
  for (int k = 0; k < kItems; ++k) count += __popc(__ballot_sync(kAllLanes, mine[k] > 0));
  return count;
}

// Puts a warp's values that are kept into the tile's order, from `place` on.
__device__ void put_in_order(const int (&mine)[kItems], int place, int* in_order) {
  const unsigned before = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const unsigned ballot = __ballot_sync(kAllLanes, mine[k] > 0);
    if (mine[k] > 0) in_order[place + __popc(ballot & before)] = mine[k];
    place += __popc(ballot);
  }
}

// What a tile has published: in the upper half the number of the call and what the lower half
// holds, the count of the tile alone or of all tiles up to it. Words of earlier calls are of no use
// to anyone, so nothing has to be cleared. One call at a time may use them: the default stream
// orders them.
constexpr int kMostTiles = 1 << 18;
constexpr unsigned kTileOnly = 1;
constexpr unsigned kAllUpToHere = 2;
__device__ unsigned long long published[kMostTiles];
__device__ unsigned next_tile;

__device__ void publish(int tile, unsigned call, unsigned what, int count) {
  const unsigned head = call << 2 | what;
  volatile unsigned long long* const words = published;  // 8 bytes come and go in one piece
  words[tile] = static_cast<unsigned long long>(head) << 32 | static_cast<unsigned>(count);
}

// What is kept in all tiles before this one, for every lane of a warp: 32 tiles at a time, from the
// nearest one back, until one of them knows the answer.
__device__ int look_back(int tile, unsigned call) {
  const volatile unsigned long long* const words = published;
  int sum = 0;
  for (int nearest = tile - 1;; nearest -= 32) {
    const int other = nearest - static_cast<int>(threadIdx.x % 32);
    unsigned head = kAllUpToHere;
    int count = 0;  // before the first tile
    if (other >= 0) {
      unsigned long long word;
      do {
        word = words[other];
        head = static_cast<unsigned>(word >> 32);
      } while (head >> 2 != call);
      head &= 3;
      count = static_cast<int>(word & 0xffffffff);
    }
    __syncwarp();
    const unsigned known = __ballot_sync(kAllLanes, head == kAllUpToHere);
    const int last =
        known == 0 ? 31 : __ffs(known) - 1;  // lanes after it are included in its count
    if (static_cast<int>(threadIdx.x % 32) > last) count = 0;
    for (int d = 16; d > 0; d /= 2) count += __shfl_xor_sync(kAllLanes, count, d);
    sum += count;
    if (known != 0) return sum;
  }
}

// Tiles are handed out in order, so that a tile only ever waits for tiles that have begun.
__global__ void __launch_bounds__(kBlock)
    compact(const int* __restrict__ values, int* __restrict__ kept, int* count, int n, int tiles,
            unsigned first_ticket, unsigned call) {
  __shared__ int warp_counts[kWarps];
  __shared__ int in_order[kTile];  // the values of this tile that are kept
  __shared__ int shared_tile;
  __shared__ int places_before;
  if (threadIdx.x == 0) shared_tile = static_cast<int>(atomicAdd(&next_tile, 1u) - first_ticket);
  __syncthreads();
  const int tile = shared_tile;
  const int first = tile * kTile + threadIdx.x / 32 * 32 * kItems;

  int mine[kItems];
  load(values, n, first, mine);
  const int own = count_in_warp(mine);
  if (threadIdx.x % 32 == 0) warp_counts[threadIdx.x / 32] = own;
  __syncthreads();
  int in_block = 0;  // before this warp
  int all = 0;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    if (w < threadIdx.x / 32) in_block += warp_counts[w];
    all += warp_counts[w];
  }
  if (threadIdx.x == 0) publish(tile, call, tile == 0 ? kAllUpToHere : kTileOnly, all);
  put_in_order(mine, in_block, in_order);
  if (threadIdx.x < 32) {
    const int before = tile == 0 ? 0 : look_back(tile, call);
    if (threadIdx.x == 0) {
      if (tile > 0) publish(tile, call, kAllUpToHere, before + all);
      places_before = before;
      if (tile == tiles - 1) *count = before + all;
    }
  }
  __syncthreads();
  // Neighboring threads store to neighboring places: what is kept, and zeros from the end.
  for (int i = threadIdx.x; i < all; i += kBlock) kept[places_before + i] = in_order[i];
  const int zeros = min(kTile, n - tile * kTile) - all;
  int* const zeros_to = kept + (n - (tile * kTile - places_before) - zeros);
  for (int i = threadIdx.x; i < zeros; i += kBlock) zeros_to[i] = 0;
}

unsigned calls = 0;
unsigned tickets = 0;  // handed out by all calls so far

}  // namespace

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    CHECK(cudaMemset(count, 0, sizeof *count));
    return;
  }
  const int tiles = (n - 1) / kTile + 1;
  compact<<<tiles, kBlock>>>(values, kept, count, n, tiles, tickets, ++calls & 0x3fffffff);
  CHECK(cudaGetLastError());
  tickets += tiles;
}
