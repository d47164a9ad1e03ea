// Rung 11: one pass with decoupled look-back.
//
// In rung 10 a tile can publish nothing before its predecessor has. Here it publishes its own total
// at once, and the sum of everything up to its end when it knows that. A tile that looks back adds
// the totals of the tiles in front of it, and may stop at the first that has its full sum. A warp
// looks at 32 of them at a time. Nobody waits for a chain: only for totals, which every running
// block publishes without waiting for anybody.
// What is known of a tile, and the number itself, are one 8-byte word, written and read in one
// access: a reader sees both or neither, so no fence is needed.
// Cost: one read and one write per element, and the look-back of one warp per tile.
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

using Word = unsigned long long;

// What is known of a tile: the lower half of its word. The upper half is the sum.
enum State : unsigned {
  kNothing = 0,  // memory that was zeroed says this
  kTotal = 1,  // the sum of the tile
  kPrefix = 2,  // the sum of all tiles up to and with this one
};

__device__ Word pack(State state, float sum) {
  return Word{__float_as_uint(sum)} << 32 | state;
}
__device__ State state_of(Word word) {
  return static_cast<State>(word & 3);
}
__device__ float sum_of(Word word) {
  return __uint_as_float(static_cast<unsigned>(word >> 32));
}

// The sum of all tiles before `tile`, for every lane of the warp that calls it.
__device__ float look_back(const volatile Word* words, int tile, int lane) {
  float sum = 0.0f;
  for (int nearest = tile - 1; nearest >= 0; nearest -= 32) {
    // Lane 0 takes the nearest. In front of tile 0 lies nothing: a prefix of 0.
    const int i = nearest - lane;
    Word word;
    do {
      word = i >= 0 ? words[i] : pack(kPrefix, 0.0f);
    } while (__any_sync(kAllLanes, state_of(word) == kNothing));

    // Totals count up to the first prefix, which stands for everything in front of it.
    const unsigned prefixes = __ballot_sync(kAllLanes, state_of(word) == kPrefix);
    const int last = prefixes != 0 ? __ffs(prefixes) - 1 : 31;
    float part = lane <= last ? sum_of(word) : 0.0f;
    for (int d = 16; d > 0; d /= 2) part += __shfl_xor_sync(kAllLanes, part, d);
    sum += part;
    if (prefixes != 0) break;
  }
  return sum;
}

__global__ void scan_tiles(const float* values, float* sums, volatile Word* words, int* next_tile,
                           int n, int exclusive) {
  __shared__ float tile[kTileWords];
  __shared__ float warp_sums[kWarps];
  __shared__ int drawn;
  __shared__ float sum_before;
  if (threadIdx.x == 0) drawn = atomicAdd(next_tile, 1);
  __syncthreads();
  const int number = drawn;
  const int begin = number * kTile;

  load_tile(tile, values, begin, n);
  __syncthreads();
  float total;
  const float in_tile = scan_threads(sum_items(tile), warp_sums, &total);

  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) words[number] = pack(number == 0 ? kPrefix : kTotal, total);
    const float before = look_back(words, number, threadIdx.x);
    if (threadIdx.x == 0) {
      if (number > 0) words[number] = pack(kPrefix, before + total);
      sum_before = before;
    }
  }
  __syncthreads();

  scan_items(tile, sum_before + in_tile, exclusive);
  __syncthreads();
  store_tile(tile, sums, begin, n);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int tiles = (n + kTile - 1) / kTile;
  Word* words;  // one per tile, and one for the number of the next tile
  const size_t bytes = (tiles + size_t{1}) * sizeof(Word);
  CHECK(cudaMalloc(&words, bytes));
  CHECK(cudaMemset(words, 0, bytes));
  scan_tiles<<<tiles, kBlock>>>(values, sums, words, reinterpret_cast<int*>(words + tiles), n,
                                exclusive);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(words));
}
