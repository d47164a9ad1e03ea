// The reference: what compute capability 8.0 has, so that both compilers make it, and any card from
// the A100 on runs it. Inputs and result are half precision, scores, sums of weights and sums of
// values are float.
//
// Rung 6, and what long sequences gain from:
//
// - A lane computes its address in each tile once: 2 * i chunks further, the swizzle is an
// exclusive
//   or with 32 * i bytes.
// - Older sums are multiplied only if a query of the warp has a new largest score, which becomes
// rare
//   after a few tiles.
// - With a causal mask, the blocks with the most keys start first, so that the card is not left to
// a
//   few of them at the end; only tiles on the diagonal are masked, and they come first.
//
// Cost: mma.sync itself. It reads both factors from registers and has two thirds of the rate of
// wgmma (counters of an H100). The tensor cores are active in 58 % of the cycles: with two warps
// per scheduler, not all of the weights' arithmetic is hidden.
#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "f16_sm80.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kQueries = 128;  // per block
constexpr int kKeys = 64;  // per tile
constexpr int kWarps = 4;
constexpr int kThreads = 32 * kWarps;
constexpr int kHigh = 2;  // blocks of 16 queries per warp
constexpr int kWarpQueries = 16 * kHigh;
// Of a key that is not seen. In its first tile a query may see none, and then this is its largest
// score: the product with any scale is exact, and the weights of that tile, which a factor of 0
// cancels later, are finite.
constexpr float kMasked = -0x1p100f;

template <int kRows, int kDepth>
using Tile = uint4[kRows][kDepth / 8];  // chunks of 16 bytes
template <int kDepth>
struct Stage {
  Tile<kKeys, kDepth> k;
  Tile<kKeys, kDepth> v;
};
template <int kDepth>
struct Shared {
  Tile<kQueries, kDepth> q;
  Stage<kDepth> stages[2];
};
template <int kDepth>
constexpr int kSixteen = 16 * kDepth * sizeof(__half);  // rows, in bytes

// Of a lane's row of a tile and its first chunk, 0 or 1. 2 * i chunks further is at ^ 32 * i, as
// long as i is below 4: the swizzle moves chunks within each 8.
template <int kChunks>
__device__ __forceinline__ std::uint32_t address(const uint4 (*tile)[kChunks], int row, int chunk) {
  return sm80::shared_address(&tile[row][chunk ^ row % 8]);
}
__device__ __forceinline__ std::uint32_t further(std::uint32_t start, int pairs) {
  return (start ^ pairs % 4 * 32) + pairs / 4 * 128;
}

// Begins to copy rows, of which `count` exist; the others become zeros.
template <int kRows, int kChunks>
__device__ __forceinline__ void copy_rows(uint4 (&to)[kRows][kChunks], const __half* from,
                                          int count) {
#pragma unroll
  for (int i = 0; i < kRows * kChunks / kThreads; ++i) {
    const int chunk = i * kThreads + static_cast<int>(threadIdx.x);
    const bool exists = chunk / kChunks < count;
    sm80::copy_16(&to[chunk / kChunks][chunk % kChunks ^ chunk / kChunks % 8],
                  exists ? from + 8 * chunk : from, exists);
  }
}

// Four matrices of 8 x 8 elements, one of whose rows each lane names.
__device__ __forceinline__ void load_matrices(std::uint32_t (&to)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from));
}
__device__ __forceinline__ void load_transposed(std::uint32_t (&to)[4], std::uint32_t from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(from));
}

template <int kDepth>
__device__ __forceinline__ void find_scores(const Shared<kDepth>& shared,
                                            const Stage<kDepth>& stage, int warp, int lane,
                                            float (&scores)[kHigh][4 * kKeys / 8]) {
#pragma unroll
  for (int high = 0; high < kHigh; ++high) {
#pragma unroll
    for (float& score : scores[high]) score = 0;
  }
  const std::uint32_t q_start = address(shared.q, warp * kWarpQueries + lane % 16, lane / 16);
  const std::uint32_t k_start = address(stage.k, lane / 16 * 8 + lane % 8, lane / 8 % 2);
#pragma unroll
  for (int step = 0; step < kDepth / 16; ++step) {
    std::uint32_t q[kHigh][4];
#pragma unroll
    for (int high = 0; high < kHigh; ++high) {
      load_matrices(q[high], further(q_start, step) + high * kSixteen<kDepth>);
    }
#pragma unroll
    for (int keys = 0; keys < kKeys / 16; ++keys) {
      std::uint32_t k[4];
      load_matrices(k, further(k_start, step) + keys * kSixteen<kDepth>);
#pragma unroll
      for (int high = 0; high < kHigh; ++high) {
        sm80::multiply_add_f16(&scores[high][8 * keys], q[high], k[0], k[1]);
        sm80::multiply_add_f16(&scores[high][8 * keys + 4], q[high], k[2], k[3]);
      }
    }
  }
}

template <int kDepth>
__device__ __forceinline__ void add_values(const Stage<kDepth>& stage, int lane,
                                           const std::uint32_t (&weights)[kHigh][2 * kKeys / 8],
                                           float (&sums)[kHigh][4 * kDepth / 8]) {
  const std::uint32_t v_start = address(stage.v, lane % 16, lane / 16);
#pragma unroll
  for (int step = 0; step < kKeys / 16; ++step) {
#pragma unroll
    for (int columns = 0; columns < kDepth / 16; ++columns) {
      std::uint32_t v[4];
      load_transposed(v, further(v_start, columns) + step * kSixteen<kDepth>);
#pragma unroll
      for (int high = 0; high < kHigh; ++high) {
        sm80::multiply_add_f16(&sums[high][8 * columns], &weights[high][4 * step], v[0], v[1]);
        sm80::multiply_add_f16(&sums[high][8 * columns + 4], &weights[high][4 * step], v[2], v[3]);
      }
    }
  }
}

// A lane has parts of two queries, eight apart: of every eight columns, two adjacent ones. Turns
// scores into weights, and multiplies the older sums by what the new largest score asks for: in
// most tiles none of a warp's queries has a new one.
template <int kSums>
__device__ __forceinline__ void weigh(float (&scores)[4 * kKeys / 8], float scale,
                                      float (&largest)[2], float (&total)[2], float (&sums)[kSums],
                                      std::uint32_t (&weights)[2 * kKeys / 8]) {
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    float top = largest[row];
#pragma unroll
    for (int j = 0; j < kKeys / 8; ++j) {
      top = fmaxf(top, fmaxf(scores[4 * j + 2 * row], scores[4 * j + 2 * row + 1]));
    }
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
    top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
    const float factor = sm80::power_of_two((largest[row] - top) * scale);
    largest[row] = top;
    const float shift = top * scale;
    total[row] *= factor;
#pragma unroll
    for (int j = 0; j < kKeys / 8; ++j) {
      float* pair = &scores[4 * j + 2 * row];
      pair[0] = sm80::power_of_two(fmaf(pair[0], scale, -shift));
      pair[1] = sm80::power_of_two(fmaf(pair[1], scale, -shift));
      total[row] += pair[0] + pair[1];
      weights[2 * j + row] = sm80::pack(pair[0], pair[1]);
    }
    if (__any_sync(0xffffffffu, factor != 1))
#pragma unroll
      for (int j = 0; j < kSums / 4; ++j) {
        sums[4 * j + 2 * row] *= factor;
        sums[4 * j + 2 * row + 1] *= factor;
      }
  }
}

// Keeps the keys of a tile up to the query's own: `last` is the first query's, counted in the tile.
__device__ __forceinline__ void mask_later(float (&scores)[4 * kKeys / 8], int last, int lane) {
#pragma unroll
  for (int i = 0; i < 4 * kKeys / 8; ++i) {
    const int key = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (key > last + i / 2 % 2 * 8) scores[i] = kMasked;
  }
}
// Keeps the first `count` keys of a tile.
__device__ __forceinline__ void mask_missing(float (&scores)[4 * kKeys / 8], int count, int lane) {
#pragma unroll
  for (int i = 0; i < 4 * kKeys / 8; ++i) {
    if (i / 4 * 8 + lane % 4 * 2 + i % 2 >= count) scores[i] = kMasked;
  }
}

// Divides the sums of 16 queries by the sum of their weights, and stores the first `rows` queries.
template <int kSums>
__device__ __forceinline__ void store_quotients(const float (&sums)[kSums], const float (&total)[2],
                                                __half* out, int lane, int rows) {
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    float sum = total[row];
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    const float factor = 1 / sum;
    if (lane / 4 + 8 * row >= rows) continue;
    __half* const to = out + (lane / 4 + 8 * row) * (2 * kSums) + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < kSums / 4; ++j) {
      const float* const pair = &sums[4 * j + 2 * row];
      *reinterpret_cast<std::uint32_t*>(to + 8 * j) =
          sm80::pack(pair[0] * factor, pair[1] * factor);
    }
  }
}

template <int kDepth, bool kCausal>
__global__ void __launch_bounds__(kThreads, 2)
    attention_kernel(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                     int n, float scale) {
  extern __shared__ __align__(128) unsigned char memory[];
  auto& shared = *reinterpret_cast<Shared<kDepth>*>(memory);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int tiles = (n + kQueries - 1) / kQueries;
  const int index = static_cast<int>(blockIdx.x);
  const int head = kCausal ? index % heads : index / tiles;
  const int first = (kCausal ? tiles - 1 - index / heads : index % tiles) * kQueries;
  const std::size_t start = static_cast<std::size_t>(head) * n * kDepth;
  const int keys = kCausal ? min(first + kQueries, n) : n;
  const int count = (keys + kKeys - 1) / kKeys;
  const auto copy_tile = [&](int tile) {
    Stage<kDepth>& stage = shared.stages[tile % 2];
    const std::size_t from = start + static_cast<std::size_t>(tile) * kKeys * kDepth;
    copy_rows(stage.k, k + from, n - tile * kKeys);
    copy_rows(stage.v, v + from, n - tile * kKeys);
    sm80::end_of_group();
  };
  copy_rows(shared.q, q + start + static_cast<std::size_t>(first) * kDepth, n - first);
  copy_tile(count - 1);

  float sums[kHigh][4 * kDepth / 8] = {};
  float largest[kHigh][2] = {{kMasked, kMasked}, {kMasked, kMasked}};
  float total[kHigh][2] = {};
  const int query = first + warp * kWarpQueries + lane / 4;
  for (int tile = count - 1; tile >= 0; --tile) {
    sm80::wait_for_all_but<0>();
    __syncthreads();  // this tile is here, and no warp still uses the other stage
    if (tile > 0) copy_tile(tile - 1);
    const Stage<kDepth>& stage = shared.stages[tile % 2];
    float scores[kHigh][4 * kKeys / 8];
    std::uint32_t weights[kHigh][2 * kKeys / 8];
    find_scores(shared, stage, warp, lane, scores);
#pragma unroll
    for (int high = 0; high < kHigh; ++high) {
      if (kCausal && tile >= first / kKeys) {
        mask_later(scores[high], query + 16 * high - tile * kKeys, lane);
      } else if (!kCausal && n - tile * kKeys < kKeys) {
        mask_missing(scores[high], n - tile * kKeys, lane);
      }
      weigh(scores[high], scale, largest[high], total[high], sums[high], weights[high]);
    }
    add_values(stage, lane, weights, sums);
  }
#pragma unroll
  for (int high = 0; high < kHigh; ++high) {
    const int row = first + warp * kWarpQueries + 16 * high;
    store_quotients(sums[high], total[high], out + start + static_cast<std::size_t>(row) * kDepth,
                    lane, n - row);
  }
}

template <int kDepth, bool kCausal>
void launch(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
            float scale) {
  constexpr int kBytes = sizeof(Shared<kDepth>);
  constexpr auto* kKernel = attention_kernel<kDepth, kCausal>;
  CHECK(cudaFuncSetAttribute(kKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  constexpr float kLog2E = 1.4426950408889634f;
  const int blocks = heads * ((n + kQueries - 1) / kQueries);
  kKernel<<<blocks, kThreads, kBytes>>>(q, k, v, out, heads, n, scale * kLog2E);
  CHECK(cudaGetLastError());
}

}  // namespace

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const auto begin = depth == 64 ? (causal != 0 ? launch<64, true> : launch<64, false>)
                                 : (causal != 0 ? launch<128, true> : launch<128, false>);
  begin(q, k, v, out, heads, n, scale);
}
