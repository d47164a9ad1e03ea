// compiler: nvcc
// Rung 7: warps that only load, and warps that only multiply.
//
// A third group of four warps is there for one thread, which asks the copy engine for tiles. Two
// mbarriers per stage take the place of the barrier of the block: the copies say that it is full,
// the multiplying warps that it is empty, each when its products are done. The groups need not stay
// in step, and the loads are as far ahead as stages are empty. The registers of the loading warps
// are the multiplying ones' (setmaxnreg).
//
// Cost: a block begins and ends alone on its multiprocessor. While it loads its first tiles, and
// while it stores its sums, the tensor cores have nothing to do.
#include "tensor.h"

#include <cuda_bf16.h>

#include "sm90.h"

namespace {

constexpr int kRows = 128;  // of C per block
constexpr int kColumns = 256;
constexpr int kDepth = 64;  // steps of k per phase: 128 bytes, the width of the swizzle
constexpr int kStages = 4;
constexpr int kSteps = 16;  // of one instruction
constexpr int kBox = 64;  // columns of B: 128 bytes
constexpr int kBoxes = kColumns / kBox;
constexpr int kGroupRows = 64;  // of C, that four warps multiply
constexpr int kMultipliers = 8;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);

struct __align__(1024) Stage {
  __nv_bfloat16 a[kRows][kDepth];
  __nv_bfloat16 b[kBoxes][kDepth][kBox];
};
struct Shared {
  Stage stages[kStages];
  std::uint64_t full[kStages];  // the loads have completed
  std::uint64_t empty[kStages];  // the multiplying warps have used it
};
constexpr int kSharedBytes = sizeof(Shared) + 1024;

// One thread's task: has the stages filled, each as soon as it is empty.
__device__ void load_tiles(const CUtensorMap* a, const CUtensorMap* b, Shared& shared, int phases,
                           int row, int column) {
  for (int phase = 0; phase < phases; ++phase) {
    const int s = phase % kStages;
    const int round = phase / kStages;
    sm90::wait(&shared.empty[s], (round + 1) % 2);  // the first round finds all stages empty
    Stage& stage = shared.stages[s];
    sm90::expect(&shared.full[s], sizeof(Stage));
    sm90::load_box(a, phase * kDepth, row, stage.a[0], &shared.full[s]);
#pragma unroll
    for (int box = 0; box < kBoxes; ++box) {
      sm90::load_box(b, column + box * kBox, phase * kDepth, stage.b[box][0], &shared.full[s]);
    }
  }
}

// Queues the products of a phase: 64 x 256 sums of four warps. The first phase sets the sums.
__device__ __forceinline__ void queue_products(float (&sums)[128], Stage& stage, int group,
                                               int phase) {
  const std::uint64_t left = sm90::describe(stage.a[group * kGroupRows]);
  const std::uint64_t right = sm90::describe(stage.b[0], sizeof(stage.b[0]));
  sm90::begin_queueing();
#pragma unroll
  for (int i = 0; i < kDepth / kSteps; ++i) {
    constexpr std::uint64_t kAlong = kSteps * sizeof(__nv_bfloat16) / 16;
    constexpr std::uint64_t kDown = kSteps * kBox * sizeof(__nv_bfloat16) / 16;
    sm90::multiply_add(sums, left + i * kAlong, right + i * kDown, phase + i);
  }
  sm90::end_of_group();
}

__device__ void multiply_tiles(Shared& shared, __nv_bfloat16* c, int m, int n, int phases, int row,
                               int column) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  float sums[128];
  for (int phase = 0; phase < phases; ++phase) {
    const int s = phase % kStages;
    const int round = phase / kStages;
    sm90::wait(&shared.full[s], round % 2);
    queue_products(sums, shared.stages[s], warp / 4, phase);
    sm90::wait_for_all_but<1>();  // the previous phase is done, and its stage is free
    if (phase > 0 && lane == 0) sm90::arrive(&shared.empty[(phase - 1) % kStages]);
  }
  sm90::wait_for_all_but<0>();
  sm90::store(sums, c, row + 16 * warp, column, m, n);
}

__global__ void __launch_bounds__(kThreads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             __nv_bfloat16* c, int m, int n, int phases) {
  extern __shared__ unsigned char memory[];
  Shared& shared = sm90::aligned<Shared>(memory);
  const int row = blockIdx.y * kRows;
  const int column = blockIdx.x * kColumns;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      sm90::init_barrier(&shared.full[s], 1);
      sm90::init_barrier(&shared.empty[s], kMultipliers);
    }
    sm90::barriers_are_ready();
  }
  __syncthreads();
  if (threadIdx.x >= 32 * kMultipliers) {
    sm90::give_registers<40>();
    if (threadIdx.x == 32 * kMultipliers) load_tiles(&a, &b, shared, phases, row, column);
  } else {
    sm90::take_registers<232>();
    multiply_tiles(shared, c, m, n, phases, row, column);
  }
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
  SM90_CHECK(
      cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  const dim3 grid(ceil_div(n, kColumns), ceil_div(m, kRows));
  multiply<<<grid, kThreads, kSharedBytes>>>(a_map, b_map, c, m, n, ceil_div(k, kDepth));
  SM90_CHECK(cudaGetLastError());
}
