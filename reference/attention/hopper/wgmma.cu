// Attention in half precision by Hopper's tensor core instructions (compute capability 9.0, sm_90a
// only): inputs and output are f16, scores, weights' sums and outputs' sums are float.
//
// As in solution.cu, a block goes over the keys once and keeps, for each query, the largest score
// so far, the sum of the weights relative to it, and the weighted sum of the values. A block is
// three groups of four warps:
//
// - One warp of the first only issues loads. The copy engine (TMA) loads tiles of 128 keys and 128
//   values into shared memory, two of each in flight, also from one tile of queries to the next.
// - The other two have 64 queries each. The scores are a product of two operands in shared memory
//   (wgmma). The weights stay in registers, in which a lane holds of the scores just what it has to
//   hold of the weights, as the first operand of the second product. The values have the depth
//   along their rows, which wgmma takes in f16.
// - An instruction of the special functions (MUFU) is the limit besides the tensor cores: a tile's
//   weights take 512 cycles, its products 1024 with depth 128, and 512 with depth 64. So a group
//   issues the scores of the next tile before the weighted sum of this one, and computes the next
//   weights while the sum is formed. The groups take turns: a barrier lets one issue its products
//   while the other computes its weights.
// - A grid as large as the card. Causal: the queries with the most keys first, and each second
//   round in reverse, so that the sums of the keys of all blocks are nearly equal. Tiles without
//   keys are left out; only the first tile of a block, on the diagonal, is masked.
//
// Cost: 128 queries x 128 keys of depth 128 take 2048 cycles of the tensor cores and 1024 cycles of
// MUFU, and load 64 KiB. On an H100 the tensor cores are active in 74 % of the cycles, 71 % causal:
// the first and the last tile of keys overlap with nothing in their group. Depth 64 has half of the
// products and as many weights.
//
// Sizes: depth 64 or 128; n is a multiple of 128; the arrays are aligned to 16 bytes.
#include <cuda_fp16.h>

#include <algorithm>

#include "labs/attention_half/f16_sm90.h"
#include "labs/tensor/sm90.h"
#include "reference/attention/hopper/store.h"
#include "reference/attention/hopper/weights.h"

namespace {

constexpr int kQueries = 128;  // per block
constexpr int kKeys = 128;  // per tile
constexpr int kBox = 64;  // elements along a row: 128 bytes, the width of the swizzle
constexpr int kStages = 2;
constexpr int kBoxBytes = kKeys * kBox * sizeof(__half);
constexpr int kSteps = 16;  // of one instruction
constexpr int kGroups = 2;  // of four warps, that multiply
constexpr int kGroupQueries = kQueries / kGroups;
constexpr int kMultipliers = 4 * kGroups;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);

template <int kDepth>
using Tile = __half[kDepth / kBox][kKeys][kBox];
static_assert(kQueries == kKeys);  // a tile of queries is a Tile
template <int kDepth>
struct __align__(1024) Shared {
  Tile<kDepth> q;
  Tile<kDepth> k[kStages];
  Tile<kDepth> v[kStages];
  std::uint64_t q_full, q_empty;
  std::uint64_t k_full[kStages], k_empty[kStages];
  std::uint64_t v_full[kStages], v_empty[kStages];
};
template <int kDepth>
constexpr int kSharedBytes = sizeof(Shared<kDepth>) + 1024;

struct Turn {
  int stage = 0;
  int parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// The tiles of queries that this block takes, one per round.
template <bool kCausal>
struct Work {
  int heads, n;
  int round = 0;
  int head = 0, tile = 0, count = 0;  // of keys' tiles

  __device__ __forceinline__ bool next() {
    const int tiles = n / kQueries;
    const int blocks = static_cast<int>(gridDim.x);
    const int place = kCausal && round % 2 ? blocks - 1 - static_cast<int>(blockIdx.x)
                                           : static_cast<int>(blockIdx.x);
    const int index = round * blocks + place;
    ++round;
    if (index >= heads * tiles) return false;
    head = kCausal ? index % heads : index / tiles;
    tile = kCausal ? tiles - 1 - index / heads : index % tiles;
    count = kCausal ? tile + 1 : n / kKeys;
    return true;
  }
};

template <int kBoxes>
__device__ __forceinline__ void load_tile(const CUtensorMap* map, int row,
                                          __half (&to)[kBoxes][kKeys][kBox], std::uint64_t* full) {
  sm90::expect(full, sizeof to);
#pragma unroll
  for (int i = 0; i < kBoxes; ++i) sm90::load_box(map, i * kBox, row, to[i][0], full);
}

template <int kDepth, bool kCausal>
__device__ void load_all(const CUtensorMap* q, const CUtensorMap* k, const CUtensorMap* v,
                         Shared<kDepth>& shared, Work<kCausal> work) {
  Turn turn;
  int q_free = 1;  // parity: what is waited for first is free
  while (work.next()) {
    sm90::wait(&shared.q_empty, q_free);
    q_free ^= 1;
    load_tile(q, work.head * work.n + work.tile * kQueries, shared.q, &shared.q_full);
    for (int j = work.count - 1; j >= 0; --j) {
      const int row = work.head * work.n + j * kKeys;
      sm90::wait(&shared.k_empty[turn.stage], turn.parity ^ 1);
      load_tile(k, row, shared.k[turn.stage], &shared.k_full[turn.stage]);
      sm90::wait(&shared.v_empty[turn.stage], turn.parity ^ 1);
      load_tile(v, row, shared.v[turn.stage], &shared.v_full[turn.stage]);
      turn.next();
    }
  }
}

// ---- Products -----------------------------------------------------------------------------------

template <int kDepth>
__device__ __forceinline__ void issue_scores(Shared<kDepth>& shared, int group, int stage,
                                             float (&scores)[64]) {
  const std::uint64_t left = sm90::describe(shared.q[0][group * kGroupQueries]);
  const std::uint64_t right = sm90::describe(shared.k[stage][0][0]);
#pragma unroll
  for (int i = 0; i < kDepth / kSteps; ++i) {
    constexpr int kPerBox = kBox / kSteps;
    constexpr int kAlong = kSteps * sizeof(__half) / 16;
    const int offset = i / kPerBox * kBoxBytes / 16 + i % kPerBox * kAlong;
    sm90::multiply_add(scores, left + offset, right + offset, i > 0);
  }
  sm90::end_of_group();
}

template <int kDepth>
__device__ __forceinline__ void issue_sums(Shared<kDepth>& shared, int stage,
                                           const std::uint32_t (&weights)[32],
                                           float (&out)[kDepth / 2], bool first) {
  const std::uint64_t right = sm90::describe(shared.v[stage][0][0], kBoxBytes);
#pragma unroll
  for (int i = 0; i < kKeys / kSteps; ++i) {
    constexpr int kDown = kSteps * kBox * sizeof(__half) / 16;
    sm90::multiply_add(out, weights + 4 * i, right + i * kDown, i > 0 || !first);
  }
  sm90::end_of_group();
}

// ---- The kernel ---------------------------------------------------------------------------------

// A group waits until the other one has issued its products.
__device__ __forceinline__ void wait_for_turn(int group) {
  asm volatile("bar.sync %0, 256;" ::"r"(1 + group) : "memory");
}
__device__ __forceinline__ void pass_turn(int group) {
  asm volatile("bar.arrive %0, 256;" ::"r"(1 + (group ^ 1)) : "memory");
}

template <int kDepth, bool kCausal>
__device__ void attend(Shared<kDepth>& shared, Work<kCausal> work, __half* out, float scale) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int group = warp / 4;
  const auto free_stage = [&](std::uint64_t* empty) {
    if (lane == 0) sm90::arrive(empty);
  };
  Turn turn;
  int q_round = 0;
  if (group == 1) pass_turn(1);
  while (work.next()) {
    float scores[64];
    float sums[kDepth / 2];
    std::uint32_t weights[32];
    sm90::Softmax softmax;
    sm90::wait(&shared.q_full, q_round);
    q_round ^= 1;
    sm90::wait(&shared.k_full[turn.stage], turn.parity);
    wait_for_turn(group);
    sm90::begin_queueing();
    issue_scores(shared, group, turn.stage, scores);
    pass_turn(group);
    sm90::wait_for_all_but<0>();
    free_stage(&shared.k_empty[turn.stage]);
    if (kCausal) sm90::mask(scores, group * kGroupQueries + warp % 4 * 16 + lane / 4, lane);
    softmax.weigh<true>(scores, scale);
    sm90::to_half(scores, weights);

    for (int j = 1; j < work.count; ++j) {
      const Turn before = turn;
      turn.next();
      sm90::wait(&shared.k_full[turn.stage], turn.parity);
      wait_for_turn(group);
      sm90::begin_queueing();
      issue_scores(shared, group, turn.stage, scores);
      sm90::wait(&shared.v_full[before.stage], before.parity);
      issue_sums(shared, before.stage, weights, sums, j == 1);
      pass_turn(group);
      sm90::wait_for_all_but<1>();
      free_stage(&shared.k_empty[turn.stage]);
      const float2 factor = softmax.weigh<false>(scores, scale);
      sm90::wait_for_all_but<0>();
      free_stage(&shared.v_empty[before.stage]);
#pragma unroll
      for (int i = 0; i < kDepth / 2; ++i) sums[i] *= i / 2 % 2 ? factor.y : factor.x;
      sm90::to_half(scores, weights);
    }
    free_stage(&shared.q_empty);
    sm90::wait(&shared.v_full[turn.stage], turn.parity);
    sm90::begin_queueing();
    issue_sums(shared, turn.stage, weights, sums, work.count == 1);
    sm90::wait_for_all_but<0>();
    free_stage(&shared.v_empty[turn.stage]);
    turn.next();
    const int query = work.tile * kQueries + warp * 16;
    sm90::store_quotients(sums, softmax.sum,
                          out + (static_cast<std::size_t>(work.head) * work.n + query) * kDepth,
                          lane);
  }
}

template <int kDepth, bool kCausal>
__global__ void __launch_bounds__(kThreads, 1)
    attention_kernel(const __grid_constant__ CUtensorMap q, const __grid_constant__ CUtensorMap k,
                     const __grid_constant__ CUtensorMap v, __half* out, int heads, int n,
                     float scale) {
  extern __shared__ unsigned char memory[];
  auto& shared = sm90::aligned<Shared<kDepth>>(memory);
  if (threadIdx.x == 0) {
    sm90::init_barrier(&shared.q_full, 1);
    sm90::init_barrier(&shared.q_empty, kMultipliers);
    for (int s = 0; s < kStages; ++s) {
      sm90::init_barrier(&shared.k_full[s], 1);
      sm90::init_barrier(&shared.k_empty[s], kMultipliers);
      sm90::init_barrier(&shared.v_full[s], 1);
      sm90::init_barrier(&shared.v_empty[s], kMultipliers);
    }
    sm90::barriers_are_ready();
  }
  __syncthreads();
  const Work<kCausal> work{heads, n};
  if (threadIdx.x >= 32 * kMultipliers) {
    sm90::give_registers<24>();
    if (threadIdx.x == 32 * kMultipliers) load_all<kDepth, kCausal>(&q, &k, &v, shared, work);
  } else {
    sm90::take_registers<240>();
    attend<kDepth, kCausal>(shared, work, out, scale);
  }
}

template <int kDepth, bool kCausal>
void launch(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
            float scale) {
  const auto map = [&](const __half* data) {
    return sm90::map_of(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, sizeof(__half), data, heads * n, kDepth,
                        kKeys);
  };
  static const int multiprocessors = [] {
    int device = 0, count = 0;
    SM90_CHECK(cudaFuncSetAttribute(attention_kernel<kDepth, kCausal>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    kSharedBytes<kDepth>));
    SM90_CHECK(cudaGetDevice(&device));
    SM90_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
  }();
  const int blocks = std::min(multiprocessors, heads * (n / kQueries));
  constexpr float kLog2E = 1.4426950408889634f;
  constexpr int kBytes = kSharedBytes<kDepth>;
  attention_kernel<kDepth, kCausal>
      <<<blocks, kThreads, kBytes>>>(map(q), map(k), map(v), out, heads, n, scale * kLog2E);
  SM90_CHECK(cudaGetLastError());
}

}  // namespace

/// attention.h's function, in f16 and for depths 64 and 128.
void attention_f16(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
                   int depth, float scale, bool causal) {
  const auto function = depth == 64 ? (causal ? launch<64, true> : launch<64, false>)
                                    : (causal ? launch<128, true> : launch<128, false>);
  function(q, k, v, out, heads, n, scale);
}
