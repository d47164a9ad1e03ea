// The reference: one pass. Every element is read once and written once, 16 bytes per lane at a
// time, and stays in registers in between. A warp scans its elements with shuffles alone; shared
// memory holds one sum per warp. What remains is how a tile learns the sum of all elements before
// it:
//
// - Look-back (stages/11): each block takes one tile, publishes its sum, and walks over its
//   predecessors until one of them has published its prefix. Any number of blocks, any card.
// - Waves (stages/12): as many blocks as the device holds take a wave of neighboring tiles, then
// the
//   next wave, and each block reads the sums of all others in its wave. No sum travels from tile to
//   tile, so this is faster where there are several waves, and where shared memory has room for two
//   more tiles per block that are being copied meanwhile.
//
// What a tile publishes is one 8-byte word, the sum and what it means together, so that a reader
// sees both or neither and no fence is needed.
#include "scan.h"

#include <cuda_pipeline.h>
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

constexpr unsigned kAllLanes = 0xffffffffu;

// A sum in the upper half, in the lower half what it stands for.
using Word = unsigned long long;
__device__ Word pack(unsigned meaning, float sum) {
  return Word{__float_as_uint(sum)} << 32 | meaning;
}
__device__ unsigned meaning_of(Word word) {
  return static_cast<unsigned>(word);
}
__device__ float sum_of(Word word) {
  return __uint_as_float(static_cast<unsigned>(word >> 32));
}

// A volatile access of 8 bytes goes to the cache that all multiprocessors share, in one piece.
__device__ void publish(Word* place, Word word) {
  *static_cast<volatile Word*>(place) = word;
}
__device__ Word published(const Word* place) {
  return *static_cast<const volatile Word*>(place);
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

// Exclusive sums from inclusive ones. Not by subtraction: infinity minus infinity is not a number.
__device__ float in_front(float inclusive, int lane) {
  const float left = __shfl_up_sync(kAllLanes, inclusive, 1);
  return lane > 0 ? left : 0.0f;
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
template <int kBlock, int kItems, int kWidth>
struct Part {
  static constexpr int kRounds = kItems / kWidth;
  static constexpr int kStep = 32 * kWidth;  // elements of a warp's round
  float x[kRounds][kWidth];

  // Copies to the queue, without waiting, and zeros for what is not there: `left` elements are,
  // from this lane's first one on.
  static __device__ void send_for(float* slot, const float* from, long long left) {
    if (left >= kRounds * kStep) {
#pragma unroll
      for (int r = 0; r < kRounds; ++r) {
        __pipeline_memcpy_async(slot + r * kBlock * kWidth, from + r * kStep,
                                kWidth * sizeof(float));
      }
      return;
    }
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        float* const to = slot + r * kBlock * kWidth + j;
        if (r * kStep + j < left) {
          __pipeline_memcpy_async(to, from + r * kStep + j, sizeof(float));
        } else {
          *to = 0.0f;
        }
      }
    }
  }

  __device__ void load_from(const float* from, long long left) {
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
      if (left >= kRounds * kStep) {
        load(from + r * kStep, x[r]);
      } else {
#pragma unroll
        for (int j = 0; j < kWidth; ++j) {
          x[r][j] = r * kStep + j < left ? from[r * kStep + j] : 0.0f;
        }
      }
    }
  }

  __device__ void take_from(const float* slot) {
#pragma unroll
    for (int r = 0; r < kRounds; ++r) load(slot + r * kBlock * kWidth, x[r]);
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

// ---- Look-back ----

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kItems = 32;  // elements per lane: 128 bytes in flight for each thread
constexpr int kTile = kBlock * kItems;

// What the word of a tile says.
enum Meaning : unsigned {
  kNothing = 0,  // zeroed memory says this
  kTotal = 1,  // the sum of the tile
  kPrefix = 2,  // the sum of all tiles up to and including this one
};

// Scratch memory for the largest n that an int can hold, 4 MB. Allocating and freeing takes longer
// than scanning a million elements. One set will do: calls are ordered by the default stream.
constexpr int kMostTiles = INT32_MAX / kTile + 1;
struct Scratch {
  Word next_tile;  // what the next block takes
  Word tiles[kMostTiles];
};
__device__ Scratch scratch;

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
      word = asked >= 0 ? published(&scratch.tiles[asked]) : pack(kPrefix, 0.0f);
      prefixes = __ballot_sync(kAllLanes, meaning_of(word) == kPrefix);
      needed = prefixes ^ (prefixes - 1);  // all lanes when there is no prefix
    } while ((__ballot_sync(kAllLanes, meaning_of(word) == kNothing) & needed) != 0);

    float part = (needed >> lane & 1) != 0 ? sum_of(word) : 0.0f;
#pragma unroll
    for (int d = 16; d > 0; d /= 2) part += __shfl_xor_sync(kAllLanes, part, d);
    sum += part;
    if (prefixes != 0) break;
  }
  return sum;
}

// In each block a tile; in each warp 32 * kItems neighbouring elements of it.
template <int kWidth>
__global__ void __launch_bounds__(kBlock)
    scan_tiles(const float* values, float* sums, int n, bool exclusive) {
  using MyPart = Part<kBlock, kItems, kWidth>;
  __shared__ int drawn;
  __shared__ float before_warp[kWarps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  // The order in which blocks start is unspecified; a block that takes a tile knows that those
  // before it have been drawn by blocks that run.
  if (threadIdx.x == 0) drawn = static_cast<int>(atomicAdd(&scratch.next_tile, 1));
  __syncthreads();
  const int tile = drawn;

  const long long first = static_cast<long long>(kTile) * tile + 32 * kItems * warp + kWidth * lane;
  MyPart part;
  part.load_from(values + first, n - first);
  float before[MyPart::kRounds];
  const float total = part.scan_rounds(before, lane);
  if (lane == 0) before_warp[warp] = total;
  __syncthreads();

  // The first warp scans the warps' sums, publishes the tile's, and reads those of other tiles.
  if (warp == 0) {
    const float inclusive = scan_warp(lane < kWarps ? before_warp[lane] : 0.0f, lane);
    const float tile_total = __shfl_sync(kAllLanes, inclusive, kWarps - 1);
    Word* const mine = &scratch.tiles[tile];
    if (lane == 0) publish(mine, pack(tile == 0 ? kPrefix : kTotal, tile_total));
    const float before_tile = look_back(tile, lane);
    if (lane == 0 && tile > 0) publish(mine, pack(kPrefix, before_tile + tile_total));
    const float in_tile = in_front(inclusive, lane);
    if (lane < kWarps) before_warp[lane] = before_tile + in_tile;
  }
  __syncthreads();

  part.accumulate(before, before_warp[warp], exclusive);
  part.store_to(sums + first, n - first);
}

// ---- Waves ----

namespace waves {

constexpr int kBlock = 512;
constexpr int kWarps = kBlock / 32;
constexpr int kMostBlocks = 1024;
constexpr int kItems = 40;  // elements of a tile per lane
constexpr int kTile = kBlock * kItems;
constexpr int kAhead = 2;  // tiles per block that are being copied to shared memory
constexpr int kSharedBytes = kAhead * kTile * static_cast<int>(sizeof(float));
constexpr int kWaves = 4;  // whose sums are kept
using MyPart = Part<kBlock, kItems, 4>;

// What the tiles of a wave add up to. The lower half of a word is the number of the wave, counted
// over all launches, so that what an earlier one has left is never taken for an answer.
// Four waves have to be told apart: a block that publishes for wave w has seen all sums of w - 2,
// so all blocks have at least gathered w - 4 and may still read w - 3. One set will do for all
// calls: the default stream orders them.
__device__ Word wave_sums[kWaves][kMostBlocks];

__device__ float sum_of_tile(unsigned wave, int block) {
  Word word;
  do {
    word = published(&wave_sums[wave % kWaves][block]);
  } while (meaning_of(word) != wave);
  return sum_of(word);
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
    const float sum = sum_of_tile(wave, b);
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

// Block b has tile b of each wave. `first_wave` is the number of the first one. Two tiles are in a
// block's registers, one that waits for the sums in front of it and one that is being summed up, so
// a tile's sum is published a whole step before somebody needs it. The next ones are in the queue.
__global__ void __launch_bounds__(kBlock, 1)
    scan_waves(const float* values, float* sums, int n, bool exclusive, unsigned first_wave) {
  extern __shared__ float4 queue[];
  __shared__ float totals[2][kWarps];  // two, like the parts that gather() adds up
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const long long wave_size = static_cast<long long>(kTile) * gridDim.x;
  const long long first = static_cast<long long>(kTile) * blockIdx.x;  // of the block
  const int mine = 32 * kItems * warp + 4 * lane;  // this thread's first one in a tile

  float* const slots = reinterpret_cast<float*>(queue) + 4 * threadIdx.x;  // this thread's
  int oldest = 0;
  const auto send_for = [&](long long tile) {
    const bool has_wave = tile - first < n;  // some block has elements; this one may have none
    if (has_wave) {
      MyPart::send_for(slots + oldest * kTile, values + tile + mine, n - tile - mine);
    }
    __pipeline_commit();  // also of nothing: take() leaves the last ones out, by number
    oldest = oldest + 1 == kAhead ? 0 : oldest + 1;
  };
  const auto take = [&] {
    __pipeline_wait_prior(kAhead - 1);
    MyPart part;
    part.take_from(slots + oldest * kTile);
    return part;
  };

  // What is known of a tile before the sums in front of it are.
  struct Summed {
    MyPart part;
    float before[MyPart::kRounds];
    float in_tile;  // in front of this warp
  };
  const auto sum_up = [&](const MyPart& part, unsigned wave) {
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
    if (threadIdx.x == 0) publish(&wave_sums[wave % kWaves][blockIdx.x], pack(wave, tile_total));
    return tile;
  };

#pragma unroll
  for (int i = 0; i < kAhead; ++i) send_for(first + i * wave_size);
  Summed current = sum_up(take(), first_wave);

  float carry = 0.0f;  // of all waves before this one
  unsigned wave = first_wave;
  for (long long tile = first, begin = 0; begin < n;
       tile += wave_size, begin += wave_size, ++wave) {
    send_for(tile + kAhead * wave_size);
    Summed next;
    if (begin + wave_size < n) next = sum_up(take(), wave + 1);
    const WaveSums others = gather(wave);
    current.part.accumulate(current.before, carry + others.in_front + current.in_tile, exclusive);
    current.part.store_to(sums + tile + mine, n - tile - mine);
    carry += others.all;
    current = next;
  }
}

}  // namespace waves

int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

bool aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

void scan_by_look_back(const float* values, float* sums, int n, bool exclusive) {
  const int tiles = ceil_div(n, kTile);
  void* words = nullptr;
  CHECK(cudaGetSymbolAddress(&words, scratch));
  CHECK(cudaMemsetAsync(words, 0, offsetof(Scratch, tiles) + tiles * sizeof(Word)));
  const auto kernel = aligned(values) && aligned(sums) ? scan_tiles<4> : scan_tiles<1>;
  kernel<<<tiles, kBlock>>>(values, sums, n, exclusive);
  CHECK(cudaGetLastError());
}

void scan_in_waves(const float* values, float* sums, int n, bool exclusive) {
  static unsigned waves_so_far = 0;
  const auto* const kernel = reinterpret_cast<const void*>(waves::scan_waves);
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             waves::kSharedBytes));
  // As few waves as possible, and no more blocks than fill them: the last one is full, too.
  const int resident = std::min(waves::kMostBlocks, attribute(cudaDevAttrMultiProcessorCount));
  const int tiles = ceil_div(n, waves::kTile);
  const int waves_needed = ceil_div(tiles, resident);
  const int blocks = ceil_div(tiles, waves_needed);
  unsigned first_wave = waves_so_far + 1;
  void* arguments[] = {&values, &sums, &n, &exclusive, &first_wave};
  CHECK(cudaLaunchCooperativeKernel(kernel, blocks, waves::kBlock, arguments, waves::kSharedBytes,
                                    nullptr));
  waves_so_far += waves_needed;
}

// Whether n elements are at least half a wave on this device, and its blocks have room for the
// queue.
bool worth_waves(const float* values, const float* sums, int n) {
  constexpr int kStatic = 1024;  // bytes of shared memory that the kernel has anyway, or less
  return aligned(values) && aligned(sums) &&
         n / (waves::kTile / 2) >= attribute(cudaDevAttrMultiProcessorCount) &&
         attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >= waves::kSharedBytes + kStatic;
}

}  // namespace

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;  // a grid of no blocks is an error
  if (worth_waves(values, sums, n)) {
    scan_in_waves(values, sums, n, exclusive != 0);
  } else {
    scan_by_look_back(values, sums, n, exclusive != 0);
  }
}
