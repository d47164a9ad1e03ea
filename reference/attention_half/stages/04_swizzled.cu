// Rung 4: swizzled tiles.
//
// The chunk of 16 bytes c of row r is at place c ^ (r % 8): the eight rows that ldmatrix reads at
// once begin in different banks, of tiles with rows of 128 bytes as of those with 256.
//
// Cost: while tiles are loaded, nothing is multiplied, and the other way round: the barriers divide
// the time of a block into both.
#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
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

constexpr int kQueries = 64;  // per block
constexpr int kKeys = 64;  // per tile
constexpr int kThreads = 128;
constexpr int kWarpQueries = 16;
constexpr int kChunk = 8;  // elements of 16 bytes
constexpr float kLog2E = 1.4426950408889634f;

template <int kRows, int kDepth>
using Tile = uint4[kRows][kDepth / kChunk];
template <int kDepth>
struct Shared {
  Tile<kQueries, kDepth> q;
  Tile<kKeys, kDepth> k;
  Tile<kKeys, kDepth> v;
};

// The chunk of a tile in shared memory, where the swizzle has it.
template <int kRows, int kChunks>
__device__ __forceinline__ uint4* chunk_of(uint4 (&tile)[kRows][kChunks], int row, int chunk) {
  return &tile[row][chunk ^ row % 8];
}

// Copies rows, of which `count` exist; the others become zeros.
template <int kRows, int kChunks>
__device__ __forceinline__ void copy_rows(uint4 (&to)[kRows][kChunks], const __half* from,
                                          int count) {
#pragma unroll
  for (int i = 0; i < kRows * kChunks / kThreads; ++i) {
    const int at = i * kThreads + static_cast<int>(threadIdx.x);
    *chunk_of(to, at / kChunks, at % kChunks) =
        at / kChunks < count ? *reinterpret_cast<const uint4*>(from + at * kChunk)
                             : make_uint4(0, 0, 0, 0);
  }
}

// The scores of a warp's queries and a tile's keys, without their scale.
template <int kDepth>
__device__ __forceinline__ void find_scores(Tile<kQueries, kDepth>& q, Tile<kKeys, kDepth>& k,
                                            int warp, int lane, float (&scores)[kKeys / 8][4]) {
#pragma unroll
  for (auto& four : scores) four[0] = four[1] = four[2] = four[3] = 0;
#pragma unroll
  for (int step = 0; step < kDepth / 16; ++step) {
    std::uint32_t queries[4];
    const int row = warp * kWarpQueries + lane % 16;
    sm80::load_matrices(queries, chunk_of(q, row, 2 * step + lane / 16));
#pragma unroll
    for (int j = 0; j < kKeys / 16; ++j) {
      std::uint32_t keys[4];  // of two instructions
      const int key = 16 * j + lane / 16 * 8 + lane % 8;
      sm80::load_matrices(keys, chunk_of(k, key, 2 * step + lane / 8 % 2));
      sm80::multiply_add_f16(scores[2 * j], queries, keys[0], keys[1]);
      sm80::multiply_add_f16(scores[2 * j + 1], queries, keys[2], keys[3]);
    }
  }
}

// Adds the values of a tile, each with its weight.
template <int kDepth>
__device__ __forceinline__ void add_values(Tile<kKeys, kDepth>& v, int lane,
                                           const std::uint32_t (&weights)[kKeys / 16][4],
                                           float (&sums)[kDepth / 8][4]) {
#pragma unroll
  for (int step = 0; step < kKeys / 16; ++step) {
#pragma unroll
    for (int j = 0; j < kDepth / 16; ++j) {
      std::uint32_t values[4];
      sm80::load_transposed(values, chunk_of(v, 16 * step + lane % 16, 2 * j + lane / 16));
      sm80::multiply_add_f16(sums[2 * j], weights[step], values[0], values[1]);
      sm80::multiply_add_f16(sums[2 * j + 1], weights[step], values[2], values[3]);
    }
  }
}

// What a lane knows of its two queries, which are eight apart.
struct Softmax {
  float largest[2] = {-INFINITY, -INFINITY};  // score so far
  float total[2] = {};  // of this lane's weights

  // Of every eight keys, a lane has two adjacent ones. Turns scores into weights, in the order in
  // which the second product needs them, and multiplies the older sums by what a new largest score
  // asks for.
  template <int kColumns>
  __device__ __forceinline__ void weigh(float (&scores)[kKeys / 8][4], float scale,
                                        float (&sums)[kColumns][4],
                                        std::uint32_t (&weights)[kKeys / 16][4]) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float now = largest[half];
#pragma unroll
      for (auto& four : scores) now = fmaxf(now, fmaxf(four[2 * half], four[2 * half + 1]));
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 1));
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 2));
      const float factor = sm80::power_of_two((largest[half] - now) * scale);
      largest[half] = now;
      total[half] *= factor;
      const float shift = now * scale;
#pragma unroll
      for (int j = 0; j < kKeys / 8; ++j) {
        const float low = sm80::power_of_two(fmaf(scores[j][2 * half], scale, -shift));
        const float high = sm80::power_of_two(fmaf(scores[j][2 * half + 1], scale, -shift));
        total[half] += low + high;
        weights[j / 2][j % 2 * 2 + half] = sm80::pack(low, high);
      }
#pragma unroll
      for (auto& four : sums) {
        four[2 * half] *= factor;
        four[2 * half + 1] *= factor;
      }
    }
  }

  // Divides by the sum of all weights, and stores the first `rows` of 16 queries.
  template <int kColumns>
  __device__ __forceinline__ void store(const float (&sums)[kColumns][4], __half* out, int rows,
                                        int lane) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float sum = total[half];
      sum += __shfl_xor_sync(~0u, sum, 1);
      sum += __shfl_xor_sync(~0u, sum, 2);
      const float factor = 1 / sum;
      const int row = lane / 4 + 8 * half;
      if (row >= rows) continue;
#pragma unroll
      for (int j = 0; j < kColumns; ++j) {
        *reinterpret_cast<std::uint32_t*>(out + row * (8 * kColumns) + 8 * j + lane % 4 * 2) =
            sm80::pack(sums[j][2 * half] * factor, sums[j][2 * half + 1] * factor);
      }
    }
  }
};

// Keeps the first `seen` keys of a tile for the first of 16 queries; with a causal mask, one more
// for each of the next ones.
__device__ __forceinline__ void mask(float (&scores)[kKeys / 8][4], int seen, bool causal,
                                     int lane) {
#pragma unroll
  for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + i / 2 * 8;
      const int key = 8 * j + lane % 4 * 2 + i % 2;
      if (key >= seen + (causal ? row : 0)) scores[j][i] = -INFINITY;
    }
  }
}

template <int kDepth, bool kCausal>
__global__ void __launch_bounds__(kThreads)
    attend(const __half* q, const __half* k, const __half* v, __half* out, int n, float scale) {
  extern __shared__ uint4 memory[];
  auto& shared = *reinterpret_cast<Shared<kDepth>*>(memory);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int first = blockIdx.x * kQueries;
  const std::size_t start = static_cast<std::size_t>(blockIdx.y) * n * kDepth;
  const int keys = kCausal ? min(first + kQueries, n) : n;
  copy_rows(shared.q, q + start + static_cast<std::size_t>(first) * kDepth, n - first);

  float sums[kDepth / 8][4] = {};
  Softmax softmax;
  const int query = first + warp * kWarpQueries;
  for (int tile = 0; tile * kKeys < keys; ++tile) {
    const std::size_t from = start + static_cast<std::size_t>(tile) * kKeys * kDepth;
    copy_rows(shared.k, k + from, n - tile * kKeys);
    copy_rows(shared.v, v + from, n - tile * kKeys);
    __syncthreads();
    float scores[kKeys / 8][4];
    std::uint32_t weights[kKeys / 16][4];
    find_scores<kDepth>(shared.q, shared.k, warp, lane, scores);
    const int seen = kCausal ? query + 1 - tile * kKeys : n - tile * kKeys;
    if (seen < kKeys) mask(scores, seen, kCausal, lane);
    softmax.weigh(scores, scale, sums, weights);
    add_values<kDepth>(shared.v, lane, weights, sums);
    __syncthreads();
  }
  softmax.store(sums, out + start + static_cast<std::size_t>(query) * kDepth, n - query, lane);
}

template <int kDepth, bool kCausal>
void launch(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
            float scale) {
  constexpr int kBytes = sizeof(Shared<kDepth>);
  CHECK(cudaFuncSetAttribute(attend<kDepth, kCausal>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             kBytes));
  const dim3 grid((n + kQueries - 1) / kQueries, heads);
  attend<kDepth, kCausal><<<grid, kThreads, kBytes>>>(q, k, v, out, n, scale * kLog2E);
  CHECK(cudaGetLastError());
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const auto begin = depth == 64 ? (causal != 0 ? launch<64, true> : launch<64, false>)
                                 : (causal != 0 ? launch<128, true> : launch<128, false>);
  begin(q, k, v, out, heads, n, scale);
}
