// compiler: nvcc
// Rung 6: wgmma, and tiles that one thread asks the copy engine for.
//
// A block is two groups of four warps; a group multiplies 64 x 256 elements of C. wgmma takes its
// factors from shared memory, so no registers are loaded, and it is the instruction for which the
// tensor cores have their whole rate. In bf16 it takes B with n along the rows: nothing is
// transposed.
//
// The copy engine (TMA) loads boxes of 128 bytes x 64 or 128 rows with the swizzle of rung 3, fills
// what is outside the matrices with zeros, and completes the bytes on an mbarrier. Four stages of
// 64 steps of k; wgmma is asynchronous, too: a phase's products are under way while the next ones
// are queued. When the products of the phase before are done, in all warps, thread 0 has its stage
// filled again.
//
// Cost: the barrier of the block in each phase. While thread 0 waits for the others, no tiles are
// asked for.
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
constexpr int kThreads = 256;  // two groups of four warps

struct __align__(1024) Stage {
  __nv_bfloat16 a[kRows][kDepth];
  __nv_bfloat16 b[kBoxes][kDepth][kBox];
};
struct Shared {
  Stage stages[kStages];
  std::uint64_t full[kStages];  // the loads have completed
};
constexpr int kSharedBytes = sizeof(Shared) + 1024;

// One thread's task: has the stage of a phase filled.
__device__ void load(const CUtensorMap* a, const CUtensorMap* b, Shared& shared, int phase, int row,
                     int column) {
  const int s = phase % kStages;
  Stage& stage = shared.stages[s];
  sm90::expect(&shared.full[s], sizeof(Stage));
  sm90::load_box(a, phase * kDepth, row, stage.a[0], &shared.full[s]);
#pragma unroll
  for (int box = 0; box < kBoxes; ++box) {
    sm90::load_box(b, column + box * kBox, phase * kDepth, stage.b[box][0], &shared.full[s]);
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

__global__ void __launch_bounds__(kThreads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
             __nv_bfloat16* c, int m, int n, int phases) {
  extern __shared__ unsigned char memory[];
  Shared& shared = sm90::aligned<Shared>(memory);
  const int row = blockIdx.y * kRows;
  const int column = blockIdx.x * kColumns;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) sm90::init_barrier(&shared.full[s], 1);
    sm90::barriers_are_ready();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int phase = 0; phase < min(kStages - 1, phases); ++phase) {
      load(&a, &b, shared, phase, row, column);
    }
  }

  float sums[128];
  for (int phase = 0; phase < phases; ++phase) {
    const int s = phase % kStages;
    sm90::wait(&shared.full[s], phase / kStages % 2);
    queue_products(sums, shared.stages[s], warp / 4, phase);
    sm90::wait_for_all_but<1>();  // the previous phase is done, and its stage is free
    __syncthreads();
    const int next = phase + kStages - 1;
    if (threadIdx.x == 0 && next < phases) load(&a, &b, shared, next, row, column);
  }
  sm90::wait_for_all_but<0>();
  sm90::store(sums, c, row + 16 * warp, column, m, n);
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
