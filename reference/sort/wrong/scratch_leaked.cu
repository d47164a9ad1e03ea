// verdict: fails-safety
// pitfall: P46
// caught-by: finding leak
// The scratch array is never freed.
#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 8;  // keys per thread
constexpr int kTile = kBlock * kItems;  // keys per block
constexpr int kBits = 8;  // per pass
constexpr int kDigits = 1 << kBits;
constexpr int kPasses = 32 / kBits;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ int digit_of(unsigned key, int shift) {
  return static_cast<int>(key >> shift & (kDigits - 1));
}

// Exclusive scan over a block: every thread gets the sum of the threads before it.
__device__ int scan_block(int own) {
  __shared__ int warp_sums[kWarps];
  const int lane = threadIdx.x % 32;
  int sum = own;
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const int left = __shfl_up_sync(kAllLanes, sum, d);
    if (lane >= d) sum += left;
  }
  __syncthreads();  // all have read the sums of the call before
  if (lane == 31) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  int before = sum - own;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) before += w < threadIdx.x / 32 ? warp_sums[w] : 0;
  return before;
}

// How often each digit occurs in each tile: counts[digit * tiles + tile].
__global__ void __launch_bounds__(kBlock)
    count_digits(const unsigned* __restrict__ keys, int* __restrict__ counts, int n, int tiles,
                 int shift) {
  __shared__ int tile_counts[kDigits];
  for (int d = threadIdx.x; d < kDigits; d += kBlock) tile_counts[d] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int i = blockIdx.x * kTile + k * kBlock + threadIdx.x;
    if (i < n) atomicAdd(&tile_counts[digit_of(keys[i], shift)], 1);
  }
  __syncthreads();
  for (int d = threadIdx.x; d < kDigits; d += kBlock) {
    counts[d * tiles + blockIdx.x] = tile_counts[d];
  }
}

// One block per digit: where the keys of a tile go among all keys with this digit, and how many
// have it.
__global__ void __launch_bounds__(kBlock)
    scan_tiles(int* __restrict__ counts, int* __restrict__ totals, int tiles) {
  __shared__ int part_sum;
  counts += blockIdx.x * tiles;
  int before = 0;
  for (int start = 0; start < tiles; start += kBlock) {
    const int tile = start + threadIdx.x;
    const int own = tile < tiles ? counts[tile] : 0;
    const int place = scan_block(own);
    if (threadIdx.x == kBlock - 1) part_sum = place + own;
    if (tile < tiles) counts[tile] = before + place;
    __syncthreads();
    before += part_sum;
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

// Moves the keys of a tile to their places. A warp takes 32 * kItems adjacent keys, 32 at a time,
// and counts in an array of its own which digits it has seen, so that equal digits keep their
// order.
__global__ void __launch_bounds__(kBlock)
    move_keys(const unsigned* __restrict__ from, unsigned* __restrict__ to,
              const int* __restrict__ places, const int* __restrict__ totals, int n, int tiles,
              int shift) {
  __shared__ int seen[kWarps][kDigits];
  __shared__ int digit_starts[kDigits];  // in `to`, of the tile's keys with this digit
  __shared__ int tile_starts[kDigits];  // the same in the tile
  __shared__ unsigned in_order[kTile];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * kTile + warp * 32 * kItems + lane;
  for (int d = lane; d < kDigits; d += 32) seen[warp][d] = 0;
  __syncwarp();

  unsigned keys[kItems];
  int ranks[kItems];  // among the warp's keys with the same digit
#pragma unroll
  for (int k = 0; k < kItems; ++k) {  // a key that does not exist is the largest, and comes last
    const int i = first + 32 * k;
    keys[k] = i < n ? from[i] : 0xffffffff;
  }
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int digit = digit_of(keys[k], shift);
    const unsigned peers = __match_any_sync(kAllLanes, digit);
    const unsigned before = peers & ((1u << lane) - 1);
    ranks[k] = seen[warp][digit] + __popc(before);
    __syncwarp();  // all peers have read the counter
    if (before == 0) seen[warp][digit] += __popc(peers);
    __syncwarp();
  }
  __syncthreads();

  // One thread per digit: the warps' counts become places in the tile.
  const int d = threadIdx.x;
  int in_tile = 0;
  if (d < kDigits) {
    for (int w = 0; w < kWarps; ++w) {
      const int own = seen[w][d];
      seen[w][d] = in_tile;
      in_tile += own;
    }
  }
  const int total_start = scan_block(d < kDigits ? totals[d] : 0);
  const int tile_start = scan_block(in_tile);
  if (d < kDigits) {
    tile_starts[d] = tile_start;
    digit_starts[d] = total_start + places[d * tiles + blockIdx.x] - tile_start;
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int digit = digit_of(keys[k], shift);
    in_order[tile_starts[digit] + seen[warp][digit] + ranks[k]] = keys[k];
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int place = k * kBlock + threadIdx.x;
    if (blockIdx.x * kTile + place < n) {
      const unsigned key = in_order[place];
      to[digit_starts[digit_of(key, shift)] + place] = key;
    }
  }
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / kTile + 1;
  unsigned* scratch = nullptr;
  int* counts = nullptr;
  cudaMalloc(&scratch, n * sizeof(unsigned));
  cudaMalloc(&counts, (static_cast<size_t>(tiles) + 1) * kDigits * sizeof(int));
  int* const totals = counts + static_cast<size_t>(tiles) * kDigits;
  const unsigned* from = keys;
  for (int pass = 0; pass < kPasses; ++pass) {
    const int shift = pass * kBits;
    unsigned* const to = pass % 2 == 0 ? scratch : sorted;  // the last of an even number: sorted
    count_digits<<<tiles, kBlock>>>(from, counts, n, tiles, shift);
    scan_tiles<<<kDigits, kBlock>>>(counts, totals, tiles);
    move_keys<<<tiles, kBlock>>>(from, to, counts, totals, n, tiles, shift);
    from = to;
  }
  cudaFree(counts);
}
