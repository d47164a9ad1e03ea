// Rung 12: one pass, in waves.
//
// Every element is read once and written once, 16 bytes a lane at a time, and stays in registers in
// between. As many blocks as the device holds take a wave of neighbouring tiles, one each, then the
// next wave. What a block has to know of the others in its wave is the sum of each tile: every
// block publishes its own and reads all the others', so that it knows what lies in front of its own
// tile and, for the next wave, what the whole wave adds up to.
//
// Compare this with looking back (stages/11), where a block walks over its predecessors until one
// of them knows its prefix: there the answer travels through the tiles in a chain, and blocks that
// wait ask the cache again and again. Here nobody waits for more than one store and one load, the
// next waves' elements are on their way in the meantime, and the order of the additions is always
// the same, so the result is, too. The cost: all blocks have to be there at the same time, which a
// cooperative launch promises, and registers for three tiles.
//
// On an H200 this is the fastest of all (2^28 elements: 1.2 times the look-back of the reference).
// The model knows nothing of chains and counts each question: to it, this is slower than rung 11.
//
// What a tile publishes is one 8-byte word, the number and its wave together, so that a reader sees
// both or neither and no fence is needed.
#include "scan.h"

#include <cuda_runtime.h>

#include <algorithm>
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
constexpr int kItems = 24;  // elements a lane: 96 bytes on their way for each thread
constexpr int kWarpTile = 32 * kItems;
constexpr int kTile = kWarps * kWarpTile;
constexpr int kBlocksAMultiprocessor = 2;
constexpr int kMostBlocks = 1024;
constexpr int kWaves = 4;  // whose sums are kept
constexpr unsigned kAllLanes = 0xffffffffu;

using Word = unsigned long long;

// What the tiles of a wave add up to: the sum in the upper half, in the lower half the number of
// the wave, counted over all launches: what earlier ones have left is never taken for an answer.
// Four waves have to be told apart: a block that publishes for wave w has seen all sums of w - 2,
// so all blocks have at least gathered w - 4 and may still read w - 3. One set will do for all
// calls: the default stream orders them.
__device__ Word wave_sums[kWaves][kMostBlocks];

__device__ void publish(unsigned wave, float sum) {
  // A volatile access of 8 bytes goes to the cache that all multiprocessors share, in one piece.
  *static_cast<volatile Word*>(&wave_sums[wave % kWaves][blockIdx.x]) =
      Word{__float_as_uint(sum)} << 32 | wave;
}
__device__ float published(unsigned wave, int block) {
  Word word;
  do {
    word = *static_cast<volatile Word*>(&wave_sums[wave % kWaves][block]);
  } while (static_cast<unsigned>(word) != wave);
  return __uint_as_float(static_cast<unsigned>(word >> 32));
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

__device__ float sum_warp(float x) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(kAllLanes, x, d);
  return x;
}

// Exclusive sums from inclusive ones. Not by subtraction: infinity minus infinity is no number.
__device__ float in_front(float inclusive, int lane) {
  const float left = __shfl_up_sync(kAllLanes, inclusive, 1);
  return lane > 0 ? left : 0.0f;
}

// The sums of all tiles of the wave in front of this block's own, and of all that there are. Every
// thread gets both; two calls in a row need no barrier.
struct WaveSums {
  float in_front;
  float all;
};
__device__ WaveSums gather(unsigned wave) {
  __shared__ WaveSums both[2][kWarps];  // the next wave may be gathered before all have read these
  WaveSums(&parts)[kWarps] = both[wave % 2];
  WaveSums mine = {0.0f, 0.0f};
  for (int b = threadIdx.x; b < gridDim.x; b += kBlock) {
    const float sum = published(wave, b);
    if (b < blockIdx.x) mine.in_front += sum;
    mine.all += sum;
  }
  mine = {sum_warp(mine.in_front), sum_warp(mine.all)};
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = mine;
  __syncthreads();
  mine = {0.0f, 0.0f};
#pragma unroll
  for (int w = 0; w < kWarps; ++w) {
    mine.in_front += parts[w].in_front;
    mine.all += parts[w].all;
  }
  return mine;
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
  // By hand, since the compiler (CUDA 13.0) takes one of six such stores apart.
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(x[0]), "f"(x[1]),
               "f"(x[2]), "f"(x[3])
               : "memory");
}

// What a lane holds of a tile. kWidth: elements of one access, 4 where both arrays are aligned to
// 16 bytes, else 1. In each round the lanes of a warp take neighbouring groups of kWidth elements.
template <int kWidth>
struct Part {
  static constexpr int kRounds = kItems / kWidth;
  static constexpr int kStep = 32 * kWidth;  // elements of a warp's round
  float x[kRounds][kWidth];

  // `left` elements are there from this lane's first one on.
  __device__ void load_from(const float* from, long long left) {
    if (left >= kRounds * kStep) {
#pragma unroll
      for (int r = 0; r < kRounds; ++r) load(from + r * kStep, x[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) x[r][j] = r * kStep + j < left ? from[r * kStep + j] : 0.0f;
    }
  }

  __device__ void store_to(float* to, long long left) const {
    if (left >= kRounds * kStep) {
#pragma unroll
      for (int r = 0; r < kRounds; ++r) store(to + r * kStep, x[r]);
      return;
    }
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        if (r * kStep + j < left) to[r * kStep + j] = x[r][j];
      }
    }
  }

  // before[r]: the sum of the warp's elements in front of this lane's group of round r.
  // Returns the sum of them all.
  __device__ float scan_rounds(float (&before)[kRounds], int lane) const {
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
    return total;
  }

  // Each element becomes the sum of all up to it, or in front of it.
  __device__ void accumulate(const float (&before)[kRounds], float offset, bool exclusive) {
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
      float sum = offset + before[r];
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        const float next = sum + x[r][j];
        x[r][j] = exclusive ? sum : next;
        sum = next;
      }
    }
  }
};

// Block b has tile b of each wave. `first_wave` is the number of the first one. Three tiles are in
// a block's registers: one that waits for the sums in front of it, one that is being summed up, and
// one on its way. So a tile's sum is published a whole step before somebody needs it.
template <int kWidth>
__global__ void __launch_bounds__(kBlock, kBlocksAMultiprocessor)
    scan_waves(const float* values, float* sums, int n, bool exclusive, unsigned first_wave) {
  __shared__ float totals[2][kWarps];  // two, like the parts that gather() adds up
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const long long wave_size = static_cast<long long>(kTile) * gridDim.x;
  const long long first =
      static_cast<long long>(kTile) * blockIdx.x + kWarpTile * warp + kWidth * lane;

  // What is known of a tile before the sums in front of it are.
  struct Summed {
    Part<kWidth> part;
    float before[Part<kWidth>::kRounds];
    float in_tile;  // in front of this warp
  };
  const auto sum_up = [&](const Part<kWidth>& part, unsigned wave) {
    Summed tile;
    tile.part = part;
    const float total = part.scan_rounds(tile.before, lane);
    float(&before_warp)[kWarps] = totals[wave % 2];
    if (lane == 0) before_warp[warp] = total;
    __syncthreads();
    tile.in_tile = 0.0f;
    float tile_total = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) {
      if (w == warp) tile.in_tile = tile_total;
      tile_total += before_warp[w];
    }
    if (threadIdx.x == 0) publish(wave, tile_total);
    return tile;
  };

  Part<kWidth> coming;
  coming.load_from(values + first, n - first);
  Summed current = sum_up(coming, first_wave);
  coming.load_from(values + first + wave_size, n - first - wave_size);

  float carry = 0.0f;  // of all waves before this one
  unsigned wave = first_wave;
  for (long long here = first, begin = 0; begin < n;
       here += wave_size, begin += wave_size, ++wave) {
    Part<kWidth> after_next;
    after_next.load_from(values + here + 2 * wave_size, n - here - 2 * wave_size);
    Summed next;
    if (begin + wave_size < n) next = sum_up(coming, wave + 1);
    const WaveSums others = gather(wave);
    current.part.accumulate(current.before, carry + others.in_front + current.in_tile, exclusive);
    current.part.store_to(sums + here, n - here);
    carry += others.all;
    current = next;
    coming = after_next;
  }
}

int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

int resident_blocks(const void* kernel) {
  int device = 0;
  int multiprocessors = 0;
  int blocks = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlock, 0));
  return std::min(kMostBlocks, blocks * multiprocessors);
}

}  // namespace

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;  // a grid of no blocks is an error
  static unsigned waves_so_far = 0;
  const bool wide = aligned(values) && aligned(sums);
  const void* kernel = wide ? reinterpret_cast<const void*>(scan_waves<4>)
                            : reinterpret_cast<const void*>(scan_waves<1>);
  // As few waves as possible, and no more blocks than fill them: the last one is full, too.
  const int tiles = ceil_div(n, kTile);
  const int waves = ceil_div(tiles, resident_blocks(kernel));
  const int blocks = ceil_div(tiles, waves);
  bool is_exclusive = exclusive != 0;
  unsigned first_wave = waves_so_far + 1;
  void* arguments[] = {&values, &sums, &n, &is_exclusive, &first_wave};
  CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kBlock, arguments, 0, nullptr));
  waves_so_far += waves;
}
