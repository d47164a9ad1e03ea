// compiler: nvcc
// Rung 8: a grid as large as the card, and clusters of two blocks.
//
// A block works as in rung 7. New are:
//
// - Two blocks that are adjacent along the rows of C need the same columns of B. They form a
//   cluster: each loads half of them, for both. A stage is free when both blocks have used it.
// - Each cluster takes every so many tiles. While a tile's sums are stored, the next one's stages
//   are filled. Tiles that are multiplied at the same time form a square, so that the L2 serves
//   them.
//
// Cost: 128 x 256 elements of C per block take 128 cycles of the tensor cores for 8 steps of k:
// 4096 operations per cycle and multiprocessor. At 4096^3 the 512 tiles are four rounds, 262,144
// cycles; an H100 takes 288,700, at 1.62 GHz (docs/performance.md).
#include "tensor.h"

#include <cuda_bf16.h>

#include <algorithm>

#include "sm90.h"

namespace {

constexpr int kRows = 128;  // of C per block
constexpr int kColumns = 256;
constexpr int kDepth = 64;  // steps of k per phase: 128 bytes, the width of the swizzle
constexpr int kStages = 4;
constexpr int kSteps = 16;  // of one instruction
constexpr int kBox = 64;  // columns of B: 128 bytes
constexpr int kBoxes = kColumns / kBox;
constexpr int kCluster = 2;
constexpr int kGroupRows = 64;  // of C, that four warps multiply
constexpr int kMultipliers = 8;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);
constexpr int kTall = 8;  // clusters' tiles down a column of them

struct __align__(1024) Stage {
  __nv_bfloat16 a[kRows][kDepth];
  __nv_bfloat16 b[kBoxes][kDepth][kBox];
};
struct Shared {
  Stage stages[kStages];
  std::uint64_t full[kStages];  // the loads have completed
  std::uint64_t empty[kStages];  // both blocks of the cluster have used it
};
constexpr int kSharedBytes = sizeof(Shared) + 1024;

// The tiles of clusters: 256 x 256 elements of C.
struct Tiles {
  int down, across;
  __device__ int count() const { return down * across; }
  // Columns of kTall tiles, the last ones shorter.
  __device__ void at(int index, int& row, int& column) const {
    const int band = index / (kTall * across);
    const int tall = min(kTall, down - band * kTall);
    const int within = index - band * kTall * across;
    row = (band * kTall + within % tall) * kRows * kCluster;
    column = within / tall * kColumns;
  }
};

__device__ void load_tiles(const CUtensorMap* a, const CUtensorMap* b, Shared& shared, Tiles tiles,
                           int phases, int rank) {
  int s = 0;
  int free = 1;  // parity: the first round finds all stages free
  for (int tile = blockIdx.x / kCluster; tile < tiles.count(); tile += gridDim.x / kCluster) {
    int row = 0, column = 0;
    tiles.at(tile, row, column);
    for (int phase = 0; phase < phases; ++phase) {
      sm90::wait(&shared.empty[s], free);
      Stage& stage = shared.stages[s];
      sm90::expect(&shared.full[s], sizeof(Stage));
      sm90::load_box(a, phase * kDepth, row + rank * kRows, stage.a[0], &shared.full[s]);
#pragma unroll
      for (int i = 0; i < kBoxes / kCluster; ++i) {
        const int box = rank * (kBoxes / kCluster) + i;
        sm90::load_box_for_both(b, column + box * kBox, phase * kDepth, stage.b[box][0],
                                &shared.full[s]);
      }
      if (++s == kStages) {
        s = 0;
        free ^= 1;
      }
    }
  }
}

__device__ void multiply_tiles(Shared& shared, Tiles tiles, __nv_bfloat16* c, int m, int n,
                               int phases, int rank) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  int s = 0;
  int round = 0;  // parity
  for (int tile = blockIdx.x / kCluster; tile < tiles.count(); tile += gridDim.x / kCluster) {
    float sums[128];
    int before = s;
    for (int phase = 0; phase < phases; ++phase) {
      Stage& stage = shared.stages[s];
      sm90::wait(&shared.full[s], round);
      const std::uint64_t left = sm90::describe(stage.a[warp / 4 * kGroupRows]);
      const std::uint64_t right = sm90::describe(stage.b[0], sizeof(stage.b[0]));
      sm90::begin_queueing();
#pragma unroll
      for (int i = 0; i < kDepth / kSteps; ++i) {
        constexpr std::uint64_t kAlong = kSteps * sizeof(__nv_bfloat16) / 16;
        constexpr std::uint64_t kDown = kSteps * kBox * sizeof(__nv_bfloat16) / 16;
        sm90::multiply_add(sums, left + i * kAlong, right + i * kDown, phase + i);
      }
      sm90::end_of_group();
      sm90::wait_for_all_but<1>();  // the previous phase is done, and its stage is free
      if (phase > 0 && lane < kCluster) sm90::arrive_at(&shared.empty[before], lane);
      before = s;
      if (++s == kStages) {
        s = 0;
        round ^= 1;
      }
    }
    sm90::wait_for_all_but<0>();
    if (lane < kCluster) sm90::arrive_at(&shared.empty[before], lane);
    int row = 0, column = 0;
    tiles.at(tile, row, column);
    sm90::store(sums, c, row + rank * kRows + 16 * warp, column, m, n);
  }
}

__global__ void __cluster_dims__(kCluster) __launch_bounds__(kThreads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             __nv_bfloat16* c, int m, int n, int phases, Tiles tiles) {
  extern __shared__ unsigned char memory[];
  Shared& shared = sm90::aligned<Shared>(memory);
  const int rank = sm90::rank_in_cluster();
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      sm90::init_barrier(&shared.full[s], 1);
      sm90::init_barrier(&shared.empty[s], kMultipliers * kCluster);
    }
    sm90::barriers_are_ready();
  }
  sm90::cluster_barrier();
  if (threadIdx.x >= 32 * kMultipliers) {
    sm90::give_registers<40>();
    if (threadIdx.x == 32 * kMultipliers) load_tiles(&a, &b, shared, tiles, phases, rank);
  } else {
    sm90::take_registers<232>();
    multiply_tiles(shared, tiles, c, m, n, phases, rank);
  }
  __syncwarp();
  sm90::cluster_barrier();  // no block exits while the other still writes to its shared memory
}

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

}  // namespace

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // there is nothing to load
    SM90_CHECK(cudaMemsetAsync(c, 0, sizeof(*c) * m * n));
    return;
  }
  const auto type = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  const CUtensorMap a_map = sm90::map_of(type, sizeof(*a), a, m, k, kRows);
  const CUtensorMap b_map = sm90::map_of(type, sizeof(*b), b, k, n, kDepth);
  const Tiles tiles{ceil_div(m, kRows * kCluster), ceil_div(n, kColumns)};
  static const int multiprocessors = [] {
    int device = 0, count = 0;
    SM90_CHECK(
        cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    SM90_CHECK(cudaGetDevice(&device));
    SM90_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
  }();
  const int blocks = kCluster * std::min(multiprocessors / kCluster, tiles.down * tiles.across);
  multiply<<<blocks, kThreads, kSharedBytes>>>(a_map, b_map, c, m, n, ceil_div(k, kDepth), tiles);
  SM90_CHECK(cudaGetLastError());
}
