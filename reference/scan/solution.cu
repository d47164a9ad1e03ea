// The reference: one pass with decoupled look-back (stages/11), tuned for memory bandwidth.
//
// Every element is read once and written once, 16 bytes a lane at a time, and stays in registers in
// between. A warp scans 1024 neighbouring elements with shuffles alone; shared memory holds eight
// sums a block. What a tile publishes is one 8-byte word, the number and what it means together,
// so that a reader sees both or neither and no fence is needed.
#include "scan.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
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

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 32;  // elements a lane: 128 bytes on their way for each thread
constexpr int kWarpTile = 32 * kItems;
constexpr int kTile = kWarps * kWarpTile;
constexpr unsigned kAllLanes = 0xffffffffu;

using Word = unsigned long long;

// What is known of a tile: the lower half of its word. The upper half is the sum.
enum State : unsigned {
  kNothing = 0,  // memory that was zeroed says this
  kTotal = 1,  // the sum of the tile
  kPrefix = 2,  // the sum of all tiles up to and with this one
};

// Scratch memory for the largest n that an int can hold, 4 MB. Allocating and freeing takes longer
// than scanning a million elements. One set will do: calls are ordered by the default stream.
constexpr int kMostTiles = INT32_MAX / kTile + 1;
struct Scratch {
  Word next_tile;  // what the next block takes
  Word tiles[kMostTiles];
};
__device__ Scratch scratch;

__device__ Word pack(State state, float sum) {
  return Word{__float_as_uint(sum)} << 32 | state;
}
__device__ State state_of(Word word) {
  return static_cast<State>(word & 3);
}
__device__ float sum_of(Word word) {
  return __uint_as_float(static_cast<unsigned>(word >> 32));
}

// A volatile access of 8 bytes goes to the cache that all multiprocessors share, in one piece.
__device__ void publish(int tile, State state, float sum) {
  *static_cast<volatile Word*>(&scratch.tiles[tile]) = pack(state, sum);
}
__device__ Word published(int tile) {
  return *static_cast<volatile Word*>(&scratch.tiles[tile]);
}

// Inclusive scan over the lanes of a warp.
__device__ float scan_warp(float x, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const float left = __shfl_up_sync(kAllLanes, x, d);
    if (lane >= d) x += left;
  }
  return x;
}

// Exclusive sums from inclusive ones. Not by subtraction: infinity minus infinity is no number.
__device__ float in_front(float inclusive, int lane) {
  const float left = __shfl_up_sync(kAllLanes, inclusive, 1);
  return lane > 0 ? left : 0.0f;
}

// The sum of all tiles before `tile`, in every lane of the warp that calls it.
__device__ float look_back(int tile, int lane) {
  float sum = 0.0f;
  for (int nearest = tile - 1; nearest >= 0; nearest -= 32) {
    // Lane 0 asks the nearest. In front of tile 0 lies nothing: a prefix of 0.
    const int asked = nearest - lane;
    Word word;
    unsigned prefixes;
    unsigned needed;  // lanes up to the first prefix, which stands for everything in front of it
    do {
      word = asked >= 0 ? published(asked) : pack(kPrefix, 0.0f);
      prefixes = __ballot_sync(kAllLanes, state_of(word) == kPrefix);
      needed = prefixes ^ (prefixes - 1);  // all lanes when there is no prefix
    } while ((__ballot_sync(kAllLanes, state_of(word) == kNothing) & needed) != 0);

    float part = (needed >> lane & 1) != 0 ? sum_of(word) : 0.0f;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) part += __shfl_xor_sync(kAllLanes, part, d);
    sum += part;
    if (prefixes != 0) break;
  }
  return sum;
}

__device__ void load(const float* from, float (&x)[1]) {
  x[0] = *from;
}
__device__ void load(const float* from, float (&x)[4]) {
  const float4 quad = *reinterpret_cast<const float4*>(from);
  x[0] = quad.x;
  x[1] = quad.y;
  x[2] = quad.z;
  x[3] = quad.w;
}
__device__ void store(float* to, const float (&x)[1]) {
  *to = x[0];
}
__device__ void store(float* to, const float (&x)[4]) {
  *reinterpret_cast<float4*>(to) = make_float4(x[0], x[1], x[2], x[3]);
}

// kWidth: elements of one access, 4 where both arrays are aligned to 16 bytes, else 1. In each
// round the lanes of a warp take neighbouring groups of kWidth elements.
template <int kWidth>
__global__ void __launch_bounds__(kBlock)
    scan_tiles(const float* values, float* sums, int n, bool exclusive) {
  constexpr int kRounds = kItems / kWidth;
  constexpr int kStep = 32 * kWidth;  // elements of a warp's round
  __shared__ int drawn;
  __shared__ float before_warp[kWarps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  // Blocks start in no promised order; a block that draws a tile knows that those before it have
  // been drawn by blocks that run.
  if (threadIdx.x == 0) drawn = static_cast<int>(atomicAdd(&scratch.next_tile, 1));
  __syncthreads();
  const int tile = drawn;

  const size_t first = size_t{kTile} * tile + kWarpTile * warp + kWidth * lane;
  const float* from = values + first;
  const bool whole = n - kTile * static_cast<long long>(tile) >= kTile;
  float x[kRounds][kWidth];
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    if (whole) {
      load(from + r * kStep, x[r]);
    } else {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        x[r][j] = first + r * kStep + j < n ? from[r * kStep + j] : 0.0f;
      }
    }
  }

  // before[r]: the sum of the warp's elements in front of this lane's group of round r.
  float before[kRounds];
  float total = 0.0f;
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    float own = x[r][0];
#pragma unroll
    for (int j = 1; j < kWidth; ++j) own += x[r][j];
    const float inclusive = scan_warp(own, lane);
    before[r] = total + in_front(inclusive, lane);
    total += __shfl_sync(kAllLanes, inclusive, 31);
  }
  if (lane == 0) before_warp[warp] = total;
  __syncthreads();

  // The first warp scans the warps' sums, tells the other tiles and asks them.
  if (warp == 0) {
    const float inclusive = scan_warp(lane < kWarps ? before_warp[lane] : 0.0f, lane);
    const float tile_total = __shfl_sync(kAllLanes, inclusive, kWarps - 1);
    if (lane == 0) publish(tile, tile == 0 ? kPrefix : kTotal, tile_total);
    const float before_tile = look_back(tile, lane);
    if (lane == 0 && tile > 0) publish(tile, kPrefix, before_tile + tile_total);
    const float in_tile = in_front(inclusive, lane);
    if (lane < kWarps) before_warp[lane] = before_tile + in_tile;
  }
  __syncthreads();

  float* to = sums + first;
#pragma unroll
  for (int r = 0; r < kRounds; ++r) {
    float sum = before_warp[warp] + before[r];
#pragma unroll
    for (int j = 0; j < kWidth; ++j) {
      const float next = sum + x[r][j];
      x[r][j] = exclusive ? sum : next;
      sum = next;
    }
    if (whole) {
      store(to + r * kStep, x[r]);
    } else {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        if (first + r * kStep + j < n) to[r * kStep + j] = x[r][j];
      }
    }
  }
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;  // a grid of no blocks is an error
  const int tiles = n / kTile + (n % kTile != 0 ? 1 : 0);
  void* words = nullptr;
  CHECK(cudaGetSymbolAddress(&words, scratch));
  CHECK(cudaMemsetAsync(words, 0, offsetof(Scratch, tiles) + tiles * sizeof(Word)));
  const auto kernel = aligned(values) && aligned(sums) ? scan_tiles<4> : scan_tiles<1>;
  kernel<<<tiles, kBlock>>>(values, sums, n, exclusive != 0);
  CHECK(cudaGetLastError());
}
