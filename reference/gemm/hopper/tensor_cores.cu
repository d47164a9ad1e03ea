// precision: tf32
// Not a rung of the ladder: Hopper's tensor core instructions (compute capability 9.0, sm_90a
// only).
//
// In rung 13 a warp passes its registers to the tensor cores, 16 x 16 elements at a time. On Hopper
// four warps issue an instruction (wgmma), which reads its operands from shared memory and is
// asynchronous. The task is to have the next operands there before the queue of wgmma is empty.
//
// - From shared memory, wgmma takes TF32 operands only with k along the rows, which B does not
//   have. The first operand may be in registers, so the kernel computes the transposed product,
//   C' = B' A': A, with k along its rows, is the operand in shared memory, and the elements of B go
//   through registers, one phase ahead of the instructions.
// - Which of the 64 rows of C' a lane holds is free. The kernel chooses those for which the loads
//   from the swizzled box are conflict-free, two elements at a time, and for which the stores to C
//   fill whole sectors.
// - One warp only issues loads. The copy engine (TMA) loads boxes of A and B into shared memory and
//   completes transactions on an mbarrier. Four stages of 32 steps of k are in flight, also from
//   one tile of C to the next. Out of bounds it fills with zeros.
// - Two groups of four warps multiply, each 64 columns x 256 rows of C: the widest instruction.
// - Two blocks that are adjacent along the columns of C need the same rows of A. They form a
//   cluster: each loads half of them, for both.
// - A grid as large as the card: each cluster takes every so many tiles.
//
// Cost: 256 x 128 elements of C per block take 256 cycles of the tensor cores for 8 steps. In that
// time 12 KiB are written to shared memory and 20 KiB are read: 128 bytes per cycle, its full
// bandwidth.
//
// TF32 is not within the contract of this lab. B is rounded to 11 significant bits, A is truncated,
// as the tensor cores do with operands in shared memory. The copy engine needs rows that begin at
// multiples of 16 bytes: k and n must be multiples of 4.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>

#include "labs/tensor/sm90.h"

namespace {

constexpr int kRows = 256;  // of C per block
constexpr int kColumns = 128;
constexpr int kDepth = 32;  // steps of k per phase: 128 bytes, the width of the swizzle
constexpr int kStages = 4;
constexpr int kSteps = 8;  // of one instruction
constexpr int kBox = 32;  // columns of B: 128 bytes
constexpr int kBoxes = kColumns / kBox;
constexpr int kMultipliers = 8;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);  // registers are assigned to four warps at a time
constexpr int kCluster = 2;
constexpr int kRowsEach = kRows / kCluster;  // of A, that a block of the cluster loads
constexpr int kWide = 8;  // clusters' tiles along a row of them

struct __align__(1024) Stage {
  float a[kRows][kDepth];
  float b[kBoxes][kDepth][kBox];
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
  // Bands of kWide tiles, the last one narrower.
  __device__ void at(int index, int& row, int& column) const {
    const int band = index / (kWide * down);
    const int wide = min(kWide, across - band * kWide);
    const int within = index - band * kWide * down;
    row = within / wide * kRows;
    column = (band * kWide + within % wide) * kColumns * kCluster;
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
      const int mine = rank * kRowsEach;
      sm90::load_box_for_both(a, phase * kDepth, row + mine, stage.a[mine], &shared.full[s]);
#pragma unroll
      for (int box = 0; box < kBoxes; ++box) {
        sm90::load_box(b, column + rank * kColumns + box * kBox, phase * kDepth, stage.b[box][0],
                       &shared.full[s]);
      }
      if (++s == kStages) {
        s = 0;
        free ^= 1;
      }
    }
  }
}

// ---- Multiplying --------------------------------------------------------------------------------

// d += b' * a', or without `add` d = b' * a': 64 x 256 sums of four warps, of 64 x 8 elements in
// registers and 8 x 256 in shared memory. Asynchronous.
__device__ __forceinline__ void multiply_add(float (&d)[128], const std::uint32_t (&b)[4],
                                             std::uint64_t a, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %133, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" SM90_NAMES_128
      "}, {%128, %129, %130, %131}, %132, add, 1, 1;\n"
      "}"
      : SM90_SUMS_128(d)
      : "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "l"(a), "r"(add));
}

// Rounded to the 11 significant bits that the tensor cores use.
__device__ __forceinline__ std::uint32_t to_tf32(float value) {
  std::uint32_t rounded = 0;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return rounded;
}

// What a lane has of the 16 columns of B that its warp multiplies: two adjacent columns, which are
// the rows lane / 4 and lane / 4 + 8 of the operand, and the steps lane % 4 and lane % 4 + 4 of
// each instruction. The columns of the 16 lanes that load at the same time are in all 16 halves of
// the 8 chunks of 16 bytes.
struct Place {
  int column;  // in the tile
  int lower, upper;  // of the first step's elements in a box, in floats

  __device__ Place(int warp, int lane) {
    const int row = lane / 4;
    const int step = lane % 4;
    const int chunk = warp % 2 * 2 + row / 4 + row / 2 % 2 * 4;
    column = warp / 2 * kBox + 4 * chunk + row % 2 * 2;
    lower = warp / 2 * kDepth * kBox + step * kBox + 4 * (chunk ^ step) + row % 2 * 2;
    upper = warp / 2 * kDepth * kBox + (step + 4) * kBox + 4 * (chunk ^ (step + 4)) + row % 2 * 2;
  }
};

using Factors = std::uint32_t[kDepth / kSteps][4];  // of B, for one phase

__device__ __forceinline__ void load_factors(const Stage& stage, const Place& place, Factors& b) {
  const float* box = &stage.b[0][0][0];
#pragma unroll
  for (int i = 0; i < kDepth / kSteps; ++i) {
    const float* steps = box + i * kSteps * kBox;
    const float2 low = *reinterpret_cast<const float2*>(steps + place.lower);
    const float2 high = *reinterpret_cast<const float2*>(steps + place.upper);
    b[i][0] = to_tf32(low.x);
    b[i][1] = to_tf32(low.y);
    b[i][2] = to_tf32(high.x);
    b[i][3] = to_tf32(high.y);
  }
}

// Which stage is next, and how often the stages have been gone through.
struct Turn {
  int stage = 0;
  int parity = 0;
  __device__ void next() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

__device__ __forceinline__ void multiply_phase(Shared& shared, const Place& place, int lane,
                                               Turn& turn, int& before, bool first, Factors& b,
                                               float (&sums)[128]) {
  Stage& stage = shared.stages[turn.stage];
  sm90::wait(&shared.full[turn.stage], turn.parity);
  load_factors(stage, place, b);
  const std::uint64_t right = sm90::describe(stage.a[0]);
  sm90::begin_queueing();
#pragma unroll
  for (int i = 0; i < kDepth / kSteps; ++i) {
    constexpr std::uint64_t kAlong = kSteps * sizeof(float) / 16;
    multiply_add(sums, b[i], right + i * kAlong, i > 0 || !first);
  }
  sm90::end_of_group();
  sm90::wait_for_all_but<1>();  // the previous phase is done: its stage and registers are free
  if (!first && lane < kCluster) sm90::arrive_at(&shared.empty[before], lane);
  before = turn.stage;
  turn.next();
}

__device__ void multiply_tiles(Shared& shared, Tiles tiles, float* c, int m, int n, int phases,
                               int rank) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const Place place(warp, lane);
  Turn turn;
  for (int tile = blockIdx.x / kCluster; tile < tiles.count(); tile += gridDim.x / kCluster) {
    float sums[128];
    Factors even, odd;
    int before = 0;
    for (int phase = 0; phase < phases; phase += 2) {
      multiply_phase(shared, place, lane, turn, before, phase == 0, even, sums);
      multiply_phase(shared, place, lane, turn, before, false, odd, sums);
    }
    sm90::wait_for_all_but<0>();
    if (lane < kCluster) sm90::arrive_at(&shared.empty[before], lane);
    int row = 0, column = 0;
    tiles.at(tile, row, column);
    column += rank * kColumns + place.column;
    row += lane % 4 * 2;
    if (column >= n) continue;
      // A lane has two adjacent rows of every eight. Its warp stores two whole sectors of four
      // rows.
#pragma unroll
    for (int j = 0; j < kRows / 8; ++j) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        if (row + 8 * j + i >= m) continue;
        *reinterpret_cast<float2*>(c + static_cast<std::size_t>(row + 8 * j + i) * n + column) =
            make_float2(sums[4 * j + i], sums[4 * j + 2 + i]);
      }
    }
  }
}

__global__ void __cluster_dims__(kCluster) __launch_bounds__(kThreads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c,
             int m, int n, int phases, Tiles tiles) {
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
  // The loading warps give registers to the multiplying ones.
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

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  const auto type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const CUtensorMap a_map = sm90::map_of(type, sizeof(float), a, m, k, kRowsEach);
  const CUtensorMap b_map = sm90::map_of(type, sizeof(float), b, k, n, kDepth);
  const Tiles tiles{ceil_div(m, kRows), ceil_div(n, kColumns * kCluster)};
  static const int multiprocessors = [] {
    int device = 0, count = 0;
    SM90_CHECK(
        cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
    SM90_CHECK(cudaGetDevice(&device));
    SM90_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
    return count;
  }();
  const int blocks = kCluster * std::min(multiprocessors / kCluster, tiles.down * tiles.across);
  // An even number of phases: beyond k, the copy engine fills with zeros.
  const int phases = 2 * ceil_div(k, 2 * kDepth);
  multiply<<<blocks, kThreads, kSharedBytes>>>(a_map, b_map, c, m, n, phases, tiles);
  SM90_CHECK(cudaGetLastError());
}
