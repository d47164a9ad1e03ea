// compiler: nvcc
// Rung 7: wgmma, with tiles that a thread of its own asks the copy engine for.
//
// A block is two groups of four warps, with 64 queries each, and a third one of which a thread only
// loads; it gives its registers to the others. Scores are the product of queries and keys in shared
// memory. The weights stay in registers, where wgmma takes its first factor from, too; values have
// the depth along their rows, which it takes in half precision, so nothing is transposed.
//
// Tiles of 128 keys and of 128 values have two stages each. A group asks for the scores of the next
// tile before the weighted sum of this one: while its warps compute the next weights, the sum is
// formed. The copy engine fills what is after a head's last row with zeros; a tensor map of three
// dimensions knows where that is.
//
// Cost: the exponentials, 128 x 128 per tile and group pair, take half as long as the products.
// Both groups may want the tensor cores at the same time, and then both compute weights.
// reference/attention/hopper/wgmma.cu lets them take turns.
#include "attention_half.h"

#include <cuda_fp16.h>

#include <cmath>

#include "f16_sm80.h"
#include "f16_sm90.h"

namespace {

constexpr int kQueries = 128;  // per block
constexpr int kKeys = 128;  // per tile
constexpr int kBox = 64;  // columns: 128 bytes, the width of the swizzle
constexpr int kStages = 2;
constexpr int kSteps = 16;  // of one instruction
constexpr int kGroupQueries = 64;
constexpr int kMultipliers = 8;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);  // registers are given by groups of four warps
constexpr float kLog2E = 1.4426950408889634f;

template <int kDepth>
struct __align__(1024) Shared {
  using Tile = __half[kDepth / kBox][kKeys][kBox];
  Tile q;
  Tile k[kStages];
  Tile v[kStages];
  std::uint64_t q_full;
  std::uint64_t k_full[kStages], k_empty[kStages];
  std::uint64_t v_full[kStages], v_empty[kStages];
};
static_assert(kQueries == kKeys, "one kind of tile");

// Where a block is, and what it visits.
struct Place {
  int head, first, tiles;
};

// One thread's task: has a tile filled.
template <int kBoxes>
__device__ void load(const CUtensorMap* map, __half (&to)[kBoxes][kKeys][kBox], int row, int head,
                     std::uint64_t* full) {
  sm90::expect(full, sizeof(to));
#pragma unroll
  for (int i = 0; i < kBoxes; ++i) sm90::load_box(map, i * kBox, row, head, to[i][0], full);
}

template <int kDepth>
__device__ void load_all(const CUtensorMap* q, const CUtensorMap* k, const CUtensorMap* v,
                         Shared<kDepth>& shared, const Place& place) {
  load(q, shared.q, place.first, place.head, &shared.q_full);
  for (int tile = 0; tile < place.tiles; ++tile) {
    const int s = tile % kStages;
    const int parity = (tile / kStages + 1) % 2;  // the first round finds all stages empty
    sm90::wait(&shared.k_empty[s], parity);
    load(k, shared.k[s], tile * kKeys, place.head, &shared.k_full[s]);
    sm90::wait(&shared.v_empty[s], parity);
    load(v, shared.v[s], tile * kKeys, place.head, &shared.v_full[s]);
  }
}

// Queues the products of a group's queries and a tile's keys.
template <int kDepth>
__device__ __forceinline__ void queue_scores(Shared<kDepth>& shared, int group, int stage,
                                             float (&scores)[kKeys / 2]) {
  const std::uint64_t left = sm90::describe(shared.q[0][group * kGroupQueries]);
  const std::uint64_t right = sm90::describe(shared.k[stage][0][0]);
#pragma unroll
  for (int i = 0; i < kDepth / kSteps; ++i) {
    constexpr int kPerBox = kBox / kSteps;
    constexpr int kNextBox = sizeof(shared.q[0]) / 16;
    constexpr int kAlong = kSteps * sizeof(__half) / 16;
    const int offset = i / kPerBox * kNextBox + i % kPerBox * kAlong;
    sm90::multiply_add(scores, left + offset, right + offset, i > 0);
  }
  sm90::end_of_group();
}

// Queues the products of a group's weights and a tile's values.
template <int kDepth>
__device__ __forceinline__ void queue_sums(Shared<kDepth>& shared, int stage,
                                           const std::uint32_t (&weights)[kKeys / 4],
                                           float (&sums)[kDepth / 2]) {
  const std::uint64_t right = sm90::describe(shared.v[stage][0][0], sizeof(shared.v[stage][0]));
#pragma unroll
  for (int i = 0; i < kKeys / kSteps; ++i) {
    constexpr int kDown = kSteps * kBox * sizeof(__half) / 16;
    sm90::multiply_add(sums, weights + 4 * i, right + i * kDown, 1);
  }
  sm90::end_of_group();
}

// What a lane knows of its two queries, which are eight apart.
struct Softmax {
  float largest[2] = {-INFINITY, -INFINITY};  // score so far
  float total[2] = {};  // of this lane's weights
  float factor[2];  // of the older sums

  // Turns scores into weights, of which two adjacent ones share a register.
  __device__ __forceinline__ void weigh(float (&scores)[kKeys / 2], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float now = largest[half];
#pragma unroll
      for (int j = 0; j < kKeys / 8; ++j) {
        now = fmaxf(now, fmaxf(scores[4 * j + 2 * half], scores[4 * j + 2 * half + 1]));
      }
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 1));
      now = fmaxf(now, __shfl_xor_sync(~0u, now, 2));
      factor[half] = sm80::power_of_two((largest[half] - now) * scale);
      largest[half] = now;
      const float shift = now * scale;
      float added = 0;
#pragma unroll
      for (int j = 0; j < kKeys / 8; ++j) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float& score = scores[4 * j + 2 * half + i];
          score = sm80::power_of_two(fmaf(score, scale, -shift));
          added += score;
        }
      }
      total[half] = total[half] * factor[half] + added;
    }
  }
};

// Keeps the first `seen` keys of a tile for the first of 16 queries; with a causal mask, one more
// for each of the next ones.
__device__ __forceinline__ void mask(float (&scores)[kKeys / 2], int seen, bool causal, int lane) {
#pragma unroll
  for (int i = 0; i < kKeys / 2; ++i) {
    const int row = lane / 4 + i / 2 % 2 * 8;
    const int key = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (key >= seen + (causal ? row : 0)) scores[i] = -INFINITY;
  }
}

template <int kDepth, bool kCausal>
__device__ void multiply_all(Shared<kDepth>& shared, const Place& place, __half* out, int n,
                             float scale) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int group = warp / 4;
  const int query = place.first + 16 * warp;
  const auto release = [&](std::uint64_t* empty) {
    if (lane == 0) sm90::arrive(empty);
  };
  float scores[kKeys / 2];
  float sums[kDepth / 2] = {};
  std::uint32_t weights[kKeys / 4];
  Softmax softmax;
  // Of the scores of a tile, which have been waited for.
  const auto weigh = [&](int tile) {
    const int seen = (kCausal ? query + 1 : n) - tile * kKeys;
    if (seen < kKeys) mask(scores, seen, kCausal, lane);
    softmax.weigh(scores, scale);
  };
  const auto rescale = [&] {
#pragma unroll
    for (int i = 0; i < kDepth / 2; ++i) sums[i] *= softmax.factor[i / 2 % 2];
#pragma unroll
    for (int i = 0; i < kKeys / 4; ++i) {
      weights[i] = sm80::pack(scores[2 * i], scores[2 * i + 1]);
    }
  };

  sm90::wait(&shared.q_full, 0);
  sm90::wait(&shared.k_full[0], 0);
  sm90::begin_queueing();
  queue_scores(shared, group, 0, scores);
  sm90::wait_for_all_but<0>();
  release(&shared.k_empty[0]);
  weigh(0);
  rescale();
  for (int tile = 1; tile < place.tiles; ++tile) {
    const int s = tile % kStages;
    const int before = (tile - 1) % kStages;
    sm90::wait(&shared.k_full[s], tile / kStages % 2);
    sm90::begin_queueing();
    queue_scores(shared, group, s, scores);
    sm90::wait(&shared.v_full[before], (tile - 1) / kStages % 2);
    queue_sums(shared, before, weights, sums);
    sm90::wait_for_all_but<1>();
    release(&shared.k_empty[s]);
    weigh(tile);
    sm90::wait_for_all_but<0>();
    release(&shared.v_empty[before]);
    rescale();
  }
  const int last = place.tiles - 1;
  sm90::wait(&shared.v_full[last % kStages], last / kStages % 2);
  sm90::begin_queueing();
  queue_sums(shared, last % kStages, weights, sums);
  sm90::wait_for_all_but<0>();

#pragma unroll
  for (int half = 0; half < 2; ++half) {
    float total = softmax.total[half];
    total += __shfl_xor_sync(~0u, total, 1);
    total += __shfl_xor_sync(~0u, total, 2);
    const float factor = 1 / total;
    const int row = query + lane / 4 + 8 * half;
    if (row >= n) continue;
    __half* const to = out + (static_cast<std::size_t>(place.head) * n + row) * kDepth;
#pragma unroll
    for (int j = 0; j < kDepth / 8; ++j) {
      *reinterpret_cast<std::uint32_t*>(to + 8 * j + lane % 4 * 2) =
          sm80::pack(sums[4 * j + 2 * half] * factor, sums[4 * j + 2 * half + 1] * factor);
    }
  }
}

template <int kDepth, bool kCausal>
__global__ void __launch_bounds__(kThreads, 1)
    attend(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
           const __grid_constant__ CUtensorMap v, __half* out, int n, float scale) {
  extern __shared__ unsigned char memory[];
  auto& shared = sm90::aligned<Shared<kDepth>>(memory);
  const int head = blockIdx.y;
  const int first = blockIdx.x * kQueries;
  const int keys = kCausal ? min(first + kQueries, n) : n;
  const Place place{head, first, (keys + kKeys - 1) / kKeys};
  if (threadIdx.x == 0) {
    sm90::init_barrier(&shared.q_full, 1);
    for (int s = 0; s < kStages; ++s) {
      sm90::init_barrier(&shared.k_full[s], 1);
      sm90::init_barrier(&shared.k_empty[s], kMultipliers);
      sm90::init_barrier(&shared.v_full[s], 1);
      sm90::init_barrier(&shared.v_empty[s], kMultipliers);
    }
    sm90::barriers_are_ready();
  }
  __syncthreads();
  if (threadIdx.x >= 32 * kMultipliers) {
    sm90::give_registers<24>();
    if (threadIdx.x == 32 * kMultipliers) load_all(&q, &k, &v, shared, place);
  } else {
    sm90::take_registers<240>();
    multiply_all<kDepth, kCausal>(shared, place, out, n, scale);
  }
}

template <int kDepth, bool kCausal>
void launch(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
            float scale) {
  const auto map = [&](const __half* data) {
    return sm90::map_of_heads(data, heads, n, kDepth, kKeys);
  };
  constexpr int kBytes = sizeof(Shared<kDepth>) + 1024;
  SM90_CHECK(cudaFuncSetAttribute(attend<kDepth, kCausal>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid((n + kQueries - 1) / kQueries, heads);
  attend<kDepth, kCausal>
      <<<grid, kThreads, kBytes>>>(map(q), map(k), map(v), out, n, scale * kLog2E);
  SM90_CHECK(cudaGetLastError());
}

}  // namespace

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const auto begin = depth == 64 ? (causal != 0 ? launch<64, true> : launch<64, false>)
                                 : (causal != 0 ? launch<128, true> : launch<128, false>);
  begin(q, k, v, out, heads, n, scale);
}
