// Rung 12: one pass, in waves.
//
// Every element is read once and written once, 16 bytes per lane at a time, and stays in registers
// in between. As many blocks as the device holds take a wave of neighbouring tiles, one each, then
// the next wave. What a block has to know of the others in its wave is the sum of each tile: every
// block publishes its own and reads all the others', so that it knows what lies in front of its own
// tile and, for the next wave, what the whole wave adds up to.
//
// The tiles of the next waves are on their way in the meantime. They are copied to shared memory
// without a thread that waits for them (from compute capability 8.0 on), and it holds more than
// registers could. It is no more than a queue: each thread takes out what it has put in, so there
// is no barrier for it and no bank conflict. A multiprocessor has one block with a large tile: what
// a wave costs, sums that travel, is paid less often.
//
// Compare this with looking back (stages/11), where a block walks over its predecessors until one
// of them knows its prefix: there the answer travels through the tiles in a chain, and blocks that
// wait ask the cache again and again. Here nobody waits for more than one store and one load, and
// the order of the additions is always the same, so the result is, too. The cost: all blocks have
// to be there at the same time, which a cooperative launch promises, and most of the shared memory.
//
// On an H200 this is the fastest of all (2^28 elements: 1.3 times a look-back tuned as well).
// The model knows nothing of chains and counts each question: to it, this is slower than rung 11.
//
// What a tile publishes is one 8-byte word, the number and its wave together, so that a reader sees
// both or neither and no fence is needed.
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

constexpr int kBlock = 512;
constexpr int kWarps = kBlock / 32;
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

// Exclusive sums from inclusive ones. Not by subtraction: infinity minus infinity is not a number.
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

// Elements of a tile that a thread has, and tiles that are on their way.
template <int kElements, int kTilesAhead>
struct Depth {
  static constexpr int kItems = kElements;
  static constexpr int kAhead = kTilesAhead;
  static constexpr int kTile = kBlock * kItems;
  static constexpr int kSharedBytes = kAhead * kTile * static_cast<int>(sizeof(float));
};
using Deep = Depth<40, 2>;  // 160 KiB: data-centre cards have that
using Shallow = Depth<24, 1>;  // 48 KiB: every card

// What a lane holds of a tile. kWidth: elements of one access, 4 where both arrays are aligned to
// 16 bytes, else 1. In each round the lanes of a warp take neighbouring groups of kWidth elements.
template <int kItems, int kWidth>
struct Part {
  static constexpr int kRounds = kItems / kWidth;
  static constexpr int kStep = 32 * kWidth;  // elements of a warp's round
  static constexpr int kSlotStep = kBlock * kWidth;  // of the queue, between a thread's groups
  float x[kRounds][kWidth];

  // Copies to the queue, without waiting, and zeros for what is not there: `left` elements are,
  // from this lane's first one on.
  static __device__ void send_for(float* slot, const float* from, long long left) {
    if (left >= kRounds * kStep) {
#pragma unroll
      for (int r = 0; r < kRounds; ++r) {
        __pipeline_memcpy_async(slot + r * kSlotStep, from + r * kStep, kWidth * sizeof(float));
      }
      return;
    }
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
#pragma unroll
      for (int j = 0; j < kWidth; ++j) {
        float* const to = slot + r * kSlotStep + j;
        if (r * kStep + j < left) {
          __pipeline_memcpy_async(to, from + r * kStep + j, sizeof(float));
        } else {
          *to = 0.0f;
        }
      }
    }
  }

  __device__ void take_from(const float* slot) {
#pragma unroll
    for (int r = 0; r < kRounds; ++r) load(slot + r * kSlotStep, x[r]);
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

// Block b has tile b of each wave. `first_wave` is the number of the first one. Two tiles are in a
// block's registers, one that waits for the sums in front of it and one that is being summed up, so
// a tile's sum is published a whole step before somebody needs it. The next ones are in the queue.
template <class D, int kWidth>
__global__ void __launch_bounds__(kBlock, 1)
    scan_waves(const float* values, float* sums, int n, bool exclusive, unsigned first_wave) {
  using MyPart = Part<D::kItems, kWidth>;
  extern __shared__ float4 queue[];
  __shared__ float totals[2][kWarps];  // two, like the parts that gather() adds up
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const long long wave_size = static_cast<long long>(D::kTile) * gridDim.x;
  const long long first = static_cast<long long>(D::kTile) * blockIdx.x;  // of the block
  const int mine = 32 * D::kItems * warp + kWidth * lane;  // this thread's first one in a tile

  float* const slots = reinterpret_cast<float*>(queue) + kWidth * threadIdx.x;  // this thread's
  int oldest = 0;
  const auto send_for = [&](long long tile) {
    const bool has_wave = tile - first < n;  // some block has elements; this one may have none
    if (has_wave) {
      MyPart::send_for(slots + oldest * D::kTile, values + tile + mine, n - tile - mine);
    }
    __pipeline_commit();  // also of nothing: take() leaves the last ones out, by number
    oldest = oldest + 1 == D::kAhead ? 0 : oldest + 1;
  };
  const auto take = [&] {
    __pipeline_wait_prior(D::kAhead - 1);
    MyPart part;
    part.take_from(slots + oldest * D::kTile);
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
    if (threadIdx.x == 0) publish(wave, tile_total);
    return tile;
  };

#pragma unroll
  for (int i = 0; i < D::kAhead; ++i) send_for(first + i * wave_size);
  Summed current = sum_up(take(), first_wave);

  float carry = 0.0f;  // of all waves before this one
  unsigned wave = first_wave;
  for (long long tile = first, begin = 0; begin < n;
       tile += wave_size, begin += wave_size, ++wave) {
    send_for(tile + D::kAhead * wave_size);
    Summed next;
    if (begin + wave_size < n) next = sum_up(take(), wave + 1);
    const WaveSums others = gather(wave);
    current.part.accumulate(current.before, carry + others.in_front + current.in_tile, exclusive);
    current.part.store_to(sums + tile + mine, n - tile - mine);
    carry += others.all;
    current = next;
  }
}

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

int resident_blocks(const void* kernel, int shared_bytes) {
  int blocks = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlock, shared_bytes));
  return std::min(kMostBlocks, blocks * attribute(cudaDevAttrMultiProcessorCount));
}

unsigned waves_so_far = 0;

template <class D, int kWidth>
void launch(const float* values, float* sums, int n, bool exclusive) {
  const auto* const kernel = reinterpret_cast<const void*>(scan_waves<D, kWidth>);
  constexpr int kBytes = D::kSharedBytes;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  // As few waves as possible, and no more blocks than fill them: the last one is full, too.
  const int tiles = ceil_div(n, D::kTile);
  const int waves = ceil_div(tiles, resident_blocks(kernel, kBytes));
  const int blocks = ceil_div(tiles, waves);
  unsigned first_wave = waves_so_far + 1;
  void* arguments[] = {&values, &sums, &n, &exclusive, &first_wave};
  CHECK(cudaLaunchCooperativeKernel(kernel, blocks, kBlock, arguments, kBytes, nullptr));
  waves_so_far += waves;
}

}  // namespace

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;  // a grid of no blocks is an error
  constexpr int kStatic = 1024;  // bytes of shared memory that the kernel has anyway, or less
  const int most_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (!aligned(values) || !aligned(sums)) {
    launch<Shallow, 1>(values, sums, n, exclusive != 0);
  } else if (most_bytes < Deep::kSharedBytes + kStatic) {
    launch<Shallow, 4>(values, sums, n, exclusive != 0);
  } else {
    launch<Deep, 4>(values, sums, n, exclusive != 0);
  }
}
