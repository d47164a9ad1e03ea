// Sort for cards with much shared memory: the solution's passes with larger tiles, of 9216 keys,
// and three changes that made them faster on an H200.
//
// - Which lanes have the same digit they write into shared memory: each sets its bit in the digit's
//   mask of the warp. An atomic and a load, where the solution has eight ballots. By Nsight Compute
//   the solution's passes are limited by what can be issued, 4.3 warp instructions per key; these
//   take 1.8.
// - A tile counts its digits and publishes the numbers before it ranks its keys. Meanwhile the
//   tiles after it find them. Looking back, a thread reads the numbers of four tiles at a time.
// - Digits are counted in a copy of the counters for each lane, so that no two lanes of a warp meet
//   in a bank.
//
// Sizes: n is any int from 0 up; `keys` is aligned to 16 bytes.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "sort.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kBits = 8;  // per pass
constexpr int kDigits = 1 << kBits;
constexpr int kPasses = 32 / kBits;
constexpr int kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ unsigned digit_of(unsigned key, int shift) {
  return key >> shift & (kDigits - 1);
}

// ---- How often each digit of each pass occurs -------------------------------------------------

constexpr int kCountBlock = 1024;
constexpr int kCountBytes = kPasses * kDigits * kLanes * static_cast<int>(sizeof(unsigned));

__global__ void __launch_bounds__(kCountBlock)
    count_digits(const unsigned* __restrict__ keys, unsigned (*totals)[kDigits], int n) {
  extern __shared__ unsigned counts[];  // [kPasses][kDigits][kLanes]
  const int lane = threadIdx.x % kLanes;
  for (int i = threadIdx.x; i < kPasses * kDigits * kLanes; i += kCountBlock) counts[i] = 0;
  __syncthreads();
  const auto count = [&](unsigned key) {
#pragma unroll
    for (int pass = 0; pass < kPasses; ++pass) {
      const unsigned digit = digit_of(key, pass * kBits);
      atomicAdd(&counts[(pass * kDigits + digit) * kLanes + lane], 1u);
    }
  };
  const auto* fours = reinterpret_cast<const uint4*>(keys);
  const unsigned step = gridDim.x * kCountBlock;
  const unsigned first = blockIdx.x * kCountBlock + threadIdx.x;
#pragma unroll 2
  for (unsigned i = first; i < n / 4u; i += step) {
    const uint4 four = fours[i];
    count(four.x);
    count(four.y);
    count(four.z);
    count(four.w);
  }
  if (first < n % 4u) count(keys[n - 1 - first]);
  __syncthreads();
  // One warp per counter: its lanes' copies become one number.
  for (int c = threadIdx.x / kLanes; c < kPasses * kDigits; c += kCountBlock / kLanes) {
    const unsigned sum = __reduce_add_sync(kAllLanes, counts[c * kLanes + lane]);
    if (lane == 0 && sum != 0) atomicAdd(&totals[0][c], sum);
  }
}

// ---- A pass -------------------------------------------------------------------------------------

constexpr int kBlock = 384;
constexpr int kWarps = kBlock / kLanes;
constexpr int kBlocks = 2;  // per multiprocessor, by which registers are limited
constexpr int kItems = 24;  // keys per thread
constexpr int kTile = kBlock * kItems;
constexpr int kTileBytes = kTile * static_cast<int>(sizeof(unsigned));
constexpr int kLook = 4;  // tiles whose numbers are read at a time
static_assert(kBlock >= kDigits, "one thread per digit");

// Exclusive scan over a block: every thread gets the sum of the threads before it.
__device__ int scan_block(int own, int (&warp_sums)[kWarps]) {
  const int lane = threadIdx.x % kLanes;
  int sum = own;
#pragma unroll
  for (int d = 1; d < kLanes; d *= 2) {
    const int left = __shfl_up_sync(kAllLanes, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == kLanes - 1) warp_sums[threadIdx.x / kLanes] = sum;
  __syncthreads();
  int before = sum - own;
#pragma unroll
  for (int w = 0; w < kWarps; ++w) before += w < threadIdx.x / kLanes ? warp_sums[w] : 0;
  return before;
}

// What a tile has published for a digit: 0 is nothing yet, else the number of its keys with this
// digit plus 1, or, with the highest bit, the place in `to` after the last one of them.
constexpr unsigned kAllUpToHere = 1u << 31;

// The place of the first key with this digit of a tile that is not the first one.
__device__ int look_back(const volatile unsigned (*published)[kDigits], int tile, int digit) {
  unsigned before = 0;
  int other = tile - 1;
  while (true) {
    unsigned words[kLook];
#pragma unroll
    for (int j = 0; j < kLook; ++j) words[j] = published[max(other - j, 0)][digit];
#pragma unroll
    for (int j = 0; j < kLook; ++j) {
      if (words[j] == 0) break;  // read again, from this tile on
      if (words[j] & kAllUpToHere) return static_cast<int>(before + (words[j] & ~kAllUpToHere));
      before += words[j] - 1;
      --other;
    }
  }
}

__global__ void __launch_bounds__(kBlock, kBlocks)
    move_keys(const unsigned* __restrict__ from, unsigned* __restrict__ to,
              const unsigned* __restrict__ totals, volatile unsigned (*published)[kDigits],
              int* next_tile, int n, int shift) {
  extern __shared__ unsigned in_order[];  // [kTile]
  __shared__ int places[kWarps][kDigits];  // in in_order, of the warp's next key with the digit
  __shared__ unsigned masks[kWarps][kDigits];  // lanes of the warp that have the digit
  __shared__ int digit_starts[kDigits];  // what to add to a place in in_order for one in `to`
  __shared__ int warp_sums[2][kWarps];
  __shared__ int shared_tile;
  const int warp = threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  // In the order in which blocks begin: a tile only waits for tiles of blocks that run.
  if (threadIdx.x == 0) shared_tile = atomicAdd(next_tile, 1);
  for (int d = lane; d < kDigits; d += kLanes) {
    places[warp][d] = 0;
    masks[warp][d] = 0;
  }
  __syncthreads();
  const int tile = shared_tile;
  const int tile_size = min(kTile, n - tile * kTile);
  const int first = warp * kLanes * kItems + lane;
  from += tile * kTile;

  unsigned keys[kItems];
#pragma unroll
  for (int k = 0; k < kItems; ++k) {  // a key that does not exist is the largest, and comes last
    const int i = first + kLanes * k;
    keys[k] = i < tile_size ? from[i] : 0xffffffff;
  }
#pragma unroll
  for (int k = 0; k < kItems; ++k) atomicAdd(&places[warp][digit_of(keys[k], shift)], 1);
  __syncthreads();

  // One thread per digit: the tile's number is published, the warps' become places.
  const int d = threadIdx.x;
  int in_tile = 0;
  if (d < kDigits) {
#pragma unroll
    for (int w = 0; w < kWarps; ++w) in_tile += places[w][d];
  }
  int digit_start = 0;
  if (tile == 0) {
    digit_start = scan_block(d < kDigits ? static_cast<int>(totals[d]) : 0, warp_sums[0]);
  }
  if (d < kDigits) {
    published[tile][d] = tile == 0 ? kAllUpToHere | (digit_start + in_tile) : in_tile + 1;
  }
  const int tile_start = scan_block(in_tile, warp_sums[1]);
  if (d < kDigits) {
    int place = tile_start;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      const int own = places[w][d];
      places[w][d] = place;
      place += own;
    }
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const unsigned digit = digit_of(keys[k], shift);
    atomicOr(&masks[warp][digit], 1u << lane);
    __syncwarp();
    const unsigned peers = masks[warp][digit];
    __syncwarp();  // all have read the mask that the last of them clears
    const int last = kLanes - 1 - __clz(peers);
    int place = 0;
    if (lane == last) {
      masks[warp][digit] = 0;
      place = atomicAdd(&places[warp][digit], __popc(peers));
    }
    __syncwarp();
    place = __shfl_sync(kAllLanes, place, last) + __popc(peers & ((1u << lane) - 1));
    in_order[place] = keys[k];
  }
  if (d < kDigits) {
    if (tile > 0) {
      digit_start = look_back(published, tile, d);
      published[tile][d] = kAllUpToHere | (digit_start + in_tile);
    }
    digit_starts[d] = digit_start - tile_start;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kItems; ++k) {
    const int place = k * kBlock + threadIdx.x;
    if (place < tile_size) {
      const unsigned key = in_order[place];
      to[digit_starts[digit_of(key, shift)] + place] = key;
    }
  }
}

// What is cleared before the first pass. Behind it is what the tiles of each pass publish.
struct Counts {
  unsigned totals[kPasses][kDigits];
  int next_tile[kPasses];
};

}  // namespace

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / kTile + 1;
  int device = 0;
  int multiprocessors = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(
      cudaFuncSetAttribute(count_digits, cudaFuncAttributeMaxDynamicSharedMemorySize, kCountBytes));
  CHECK(cudaFuncSetAttribute(move_keys, cudaFuncAttributeMaxDynamicSharedMemorySize, kTileBytes));
  unsigned* scratch = nullptr;
  Counts* counts = nullptr;
  const std::size_t bytes =
      sizeof(Counts) + sizeof(unsigned) * kPasses * kDigits * static_cast<std::size_t>(tiles);
  CHECK(cudaMalloc(&scratch, n * sizeof(unsigned)));
  CHECK(cudaMalloc(&counts, bytes));
  CHECK(cudaMemsetAsync(counts, 0, bytes));
  auto* published = reinterpret_cast<unsigned(*)[kDigits]>(counts + 1);
  const int blocks = std::min(multiprocessors, n / (4 * kCountBlock) + 1);
  count_digits<<<blocks, kCountBlock, kCountBytes>>>(keys, counts->totals, n);
  CHECK(cudaGetLastError());
  const unsigned* from = keys;
  for (int pass = 0; pass < kPasses; ++pass, published += tiles) {
    unsigned* const to = pass % 2 == 0 ? scratch : sorted;  // the last of an even number: sorted
    move_keys<<<tiles, kBlock, kTileBytes>>>(from, to, counts->totals[pass], published,
                                             &counts->next_tile[pass], n, pass * kBits);
    CHECK(cudaGetLastError());
    from = to;
  }
  CHECK(cudaFree(scratch));
  CHECK(cudaFree(counts));
}
