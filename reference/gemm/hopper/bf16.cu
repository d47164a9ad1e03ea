// Not a rung of the ladder: a product in bf16 with float sums and a bf16 result, as cuBLAS has it,
// by Hopper's tensor core instructions (compute capability 9.0, sm_90a only). C = A B, all three
// row-major.
//
// A block is three groups of four warps:
//
// - One warp of the first only issues loads. The copy engine (TMA) loads boxes of A and B, with a
//   swizzle of 128 bytes so that there are no bank conflicts, and completes transactions on an
//   mbarrier. Four stages of 64 steps of k are in flight, also from one tile of C to the next.
// - The other two multiply, 64 x 256 elements of C each: the widest instruction (wgmma), because
//   each reads all of its operands from shared memory again. In bf16 it takes B with n along the
//   rows too, so nothing is transposed. The registers of the loading warps are theirs.
// - Two blocks that are adjacent along the rows of C need the same columns of B. They form a
//   cluster: each loads half of them, for both.
// - A grid as large as the card: each cluster takes every so many tiles. Tiles that are multiplied
//   at the same time form a square, so that the L2 serves them.
// - A tile's sums leave from the registers. Four lanes have 8 adjacent columns of a row among them;
//   they exchange words until each has 16 bytes.
//
// Cost: 128 x 256 elements of C per block take 128 cycles of the tensor cores for 8 steps of k:
// 4096 operations per cycle and multiprocessor. At 4096^3 the 512 tiles are four rounds, 262,144
// cycles; an H100 takes 288,700, at 1.62 GHz (docs/performance.md).
//
// Sizes: k and n are multiples of 8, as rows must begin at multiples of 16 bytes; the arrays are
// aligned to 16 bytes.
#include <cuda_bf16.h>

#include <algorithm>

#include "reference/gemm/hopper/sm90.h"

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

// d += a * b, or without `add` d = a * b: 64 x 256 sums of four warps, of 64 x 16 and 16 x 256
// elements in shared memory, b with n along its rows. Asynchronous.
__device__ __forceinline__ void multiply_add(float (&d)[128], std::uint64_t a, std::uint64_t b,
                                             int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" SM90_NAMES_128
      "}, %128, %129, add, 1, 1, 0, 1;\n"
      "}"
      : SM90_SUMS_128(d)
      : "l"(a), "l"(b), "r"(add));
}

// A lane has two adjacent columns of every eight, in two rows that are eight apart.
__device__ void store(const float (&sums)[128], __nv_bfloat16* c, int first_row, int first_column,
                      int lane, int m, int n) {
#pragma unroll
  for (int j = 0; j < kColumns / 32; ++j) {
#pragma unroll
    for (int lower = 0; lower < 2; ++lower) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int from = 4 * (4 * j + i) + 2 * lower;
        const __nv_bfloat162 pair = __floats2bfloat162_rn(sums[from], sums[from + 1]);
        words[i] = reinterpret_cast<const std::uint32_t&>(pair);
      }
      sm90::transpose_in_quad(words, lane);
      const int row = first_row + 8 * lower + lane / 4;
      const int column = first_column + 32 * j + lane % 4 * 8;
      if (row >= m || column >= n) continue;
      *reinterpret_cast<uint4*>(c + static_cast<std::size_t>(row) * n + column) =
          make_uint4(words[0], words[1], words[2], words[3]);
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
        multiply_add(sums, left + i * kAlong, right + i * kDown, phase + i);
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
    store(sums, c, row + rank * kRows + 16 * warp, column, lane, m, n);
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

/// c = a b: a is m x k, b is k x n, c is m x n, all on the device and row-major.
void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
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
