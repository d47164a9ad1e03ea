// precision: tf32
// Not a rung of the ladder: Hopper's tensor core instructions (compute capability 9.0, sm_90a
// only).
//
// In rung 13 a warp passes its registers to the tensor cores, 16 x 16 elements at a time. On Hopper
// four warps issue an instruction (wgmma), which reads its operands from shared memory and is
// asynchronous. The task is to have the next operands there before the queue of wgmma is empty.
//
// - wgmma needs both operands with k along the rows, which B does not have: a kernel transposes B
//   first, and rounds it to TF32.
// - One warp only issues loads. The copy engine (TMA) loads boxes of A and of the transposed B into
//   shared memory, swizzled so that there are no bank conflicts, and completes transactions on an
//   mbarrier. Four stages of 32 steps of k are in flight. Out of bounds it fills with zeros.
// - Two groups of four warps multiply, each 64 x 256 elements of C: the widest instruction, because
//   each instruction reads all of its operands from shared memory again.
// - Two blocks that are adjacent along the rows of C need the same columns of B. They form a
//   cluster: each loads half of them, for both. So a multiprocessor loads 256 instead of 384 floats
//   per step.
//
// Cost: 128 x 256 elements of C per block take 256 cycles of the tensor cores for 8 steps. In that
// time 12 KiB are written to shared memory and 20 KiB are read: 128 bytes per cycle, its full
// bandwidth. If the warps that multiply transpose B in registers, instructions of half the width
// are needed: 144 bytes per cycle, and nine tenths of this rate. Transposing B takes a tenth of the
// time. On an H200 the kernel reaches nine tenths of cuBLAS's rate (docs/performance.md).
//
// TF32 is not within the contract of this lab. B is rounded to 11 significant bits, A is truncated,
// as the tensor cores do with operands in shared memory. The copy engine needs rows that begin at
// multiples of 16 bytes: k and n must be multiples of 4.
#include "gemm.h"

#include <cuda.h>
#include <cuda_runtime.h>

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

constexpr int kRows = 128;  // of C per block
constexpr int kColumns = 256;
constexpr int kDepth = 32;  // steps per phase: 128 bytes, the width of the swizzle
constexpr int kStages = 4;
constexpr int kSteps = 8;  // of one instruction
constexpr int kGroupRows = 64;  // of C, that four warps multiply
constexpr int kMultipliers = 8;  // warps
constexpr int kThreads = 32 * (kMultipliers + 4);  // registers are assigned to four warps at a time
constexpr int kCluster = 2;
constexpr int kColumnsEach = kColumns / kCluster;  // that a block of the cluster loads
constexpr int kTransposed = 64;  // rows and columns of B that a block transposes
constexpr int kTransposers = 256;

struct __align__(1024) Stage {
  float a[kRows][kDepth];  // a row: 128 bytes
  float b[kColumns][kDepth];  // transposed
};
struct Shared {
  Stage stages[kStages];
  std::uint64_t full[kStages];  // the loads have completed
  std::uint64_t empty[kStages];  // both blocks of the cluster have used it
};
constexpr int kSharedBytes = sizeof(Shared) + 1024;  // the start is aligned in the kernel

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// ---- Barriers in shared memory ------------------------------------------------------------------

__device__ void init_barrier(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals));
}

__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra again;\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void expect(std::uint64_t* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

// Arrives at the same barrier of another block of the cluster, or of this one. Not
// `.release.cluster`, which is a fence for the whole GPU and takes longer than a phase: the
// arriving warp has only read, and wgmma has read its operands when its group has completed.
__device__ void arrive_at(std::uint64_t* barrier, int block) {
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(block)
      : "memory");
}

__device__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// ---- The copy engine ----------------------------------------------------------------------------

__device__ void load_box(const CUtensorMap* map, int x, int y, float* to, std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
      : "memory");
}

// The same for all blocks of the cluster, each at the same place and with its own barrier.
__device__ void load_box_for_all(const CUtensorMap* map, int x, int y, float* to,
                                 std::uint64_t* barrier) {
  constexpr std::uint16_t kAll = (1 << kCluster) - 1;
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"(kAll)
      : "memory");
}

__device__ void load_phases(const CUtensorMap* a, const CUtensorMap* b, Shared& shared,
                            int first_row, int first_column, int phases, int rank) {
  const int mine = rank * kColumnsEach;
  for (int phase = 0; phase < phases; ++phase) {
    const int s = phase % kStages;
    const int round = phase / kStages;
    if (round > 0) wait(&shared.empty[s], (round - 1) % 2);
    Stage& stage = shared.stages[s];
    expect(&shared.full[s], sizeof(Stage));
    load_box(a, phase * kDepth, first_row, stage.a[0], &shared.full[s]);
    load_box_for_all(b, phase * kDepth, first_column + mine, stage.b[mine], &shared.full[s]);
  }
}

// ---- Multiplying --------------------------------------------------------------------------------

// The layout of an operand: rows of 128 bytes, k along the row, the 16-byte chunks of row r
// swizzled by r % 8, groups of 8 rows 1024 bytes apart.
__device__ std::uint64_t describe(const float* operand) {
  constexpr std::uint64_t kSwizzled = std::uint64_t{1} << 62;
  constexpr std::uint64_t kGroups = std::uint64_t{1024 / 16} << 32;
  constexpr std::uint64_t kUnused = std::uint64_t{1} << 16;
  return kSwizzled | kGroups | kUnused | (shared_address(operand) & 0x3ffff) >> 4;
}

// d += a * b, or without `add` d = a * b: 64 x 256 sums of four warps, of 64 x 8 and 8 x 256
// elements in shared memory. Asynchronous.
__device__ __forceinline__ void multiply_add(float (&d)[128], std::uint64_t a, std::uint64_t b,
                                             int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, "
      " %8, %9, %10, %11, %12, %13, %14, %15, "
      " %16, %17, %18, %19, %20, %21, %22, %23, "
      " %24, %25, %26, %27, %28, %29, %30, %31, "
      " %32, %33, %34, %35, %36, %37, %38, %39, "
      " %40, %41, %42, %43, %44, %45, %46, %47, "
      " %48, %49, %50, %51, %52, %53, %54, %55, "
      " %56, %57, %58, %59, %60, %61, %62, %63, "
      " %64, %65, %66, %67, %68, %69, %70, %71, "
      " %72, %73, %74, %75, %76, %77, %78, %79, "
      " %80, %81, %82, %83, %84, %85, %86, %87, "
      " %88, %89, %90, %91, %92, %93, %94, %95, "
      " %96, %97, %98, %99, %100, %101, %102, %103, "
      " %104, %105, %106, %107, %108, %109, %110, %111, "
      " %112, %113, %114, %115, %116, %117, %118, %119, "
      " %120, %121, %122, %123, %124, %125, %126, %127}, "
      "%128, %129, add, 1, 1;\n"
      "}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
        "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]),
        "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]),
        "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]),
        "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]),
        "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]),
        "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]),
        "+f"(d[63]), "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]),
        "+f"(d[70]), "+f"(d[71]), "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]),
        "+f"(d[77]), "+f"(d[78]), "+f"(d[79]), "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]),
        "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]), "+f"(d[88]), "+f"(d[89]), "+f"(d[90]),
        "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]), "+f"(d[96]), "+f"(d[97]),
        "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]),
        "+f"(d[110]), "+f"(d[111]), "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]),
        "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]), "+f"(d[120]), "+f"(d[121]),
        "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(a), "l"(b), "r"(add));
}

__device__ void begin_queueing() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void end_of_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kGroups>
__device__ void wait_for_all_but() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroups) : "memory");
}

// Adds up this warp's group's 64 rows of C.
__device__ void multiply_phases(Shared& shared, int warp, int lane, int phases,
                                float (&sums)[128]) {
  for (int phase = 0; phase < phases; ++phase) {
    const int s = phase % kStages;
    Stage& stage = shared.stages[s];
    wait(&shared.full[s], phase / kStages % 2);
    const std::uint64_t left = describe(stage.a[warp / 4 * kGroupRows]);
    const std::uint64_t right = describe(stage.b[0]);
    begin_queueing();
#pragma unroll
    for (int i = 0; i < kDepth / kSteps; ++i) {
      constexpr std::uint64_t kAlong = kSteps * sizeof(float) / 16;
      multiply_add(sums, left + i * kAlong, right + i * kAlong, phase + i);
    }
    end_of_group();
    wait_for_all_but<1>();  // the previous phase is done, and its stage is free
    if (phase > 0 && lane < kCluster) arrive_at(&shared.empty[(phase - 1) % kStages], lane);
  }
  wait_for_all_but<0>();
}

__global__ void __cluster_dims__(kCluster) __launch_bounds__(kThreads, 1)
    multiply(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c,
             int m, int n, int phases) {
  extern __shared__ unsigned char memory[];
  Shared& shared =
      *reinterpret_cast<Shared*>(memory + (1024 - shared_address(memory) % 1024) % 1024);
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  // The blocks of a cluster are neighbours along x: the next 128 rows of C.
  const int first_row = blockIdx.x * kRows;
  const int first_column = blockIdx.y * kColumns;
  const int rank = blockIdx.x % kCluster;

  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      init_barrier(&shared.full[s], 1);
      init_barrier(&shared.empty[s], kMultipliers * kCluster);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster_barrier();

  // The loading warps give registers to the multiplying ones.
  if (warp >= kMultipliers) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 32 * kMultipliers)
      load_phases(&a, &b, shared, first_row, first_column, phases, rank);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float sums[128];
    multiply_phases(shared, warp, lane, phases, sums);
    // A lane has two adjacent columns of every eight, in two rows that are eight apart.
#pragma unroll
    for (int j = 0; j < kColumns / 8; ++j) {
      const int column = first_column + 8 * j + lane % 4 * 2;
#pragma unroll
      for (int lower = 0; lower < 2; ++lower) {
        const int row = first_row + 16 * warp + 8 * lower + lane / 4;
        if (row >= m || column >= n) continue;
        *reinterpret_cast<float2*>(c + static_cast<std::size_t>(row) * n + column) =
            make_float2(sums[4 * j + 2 * lower], sums[4 * j + 2 * lower + 1]);
      }
    }
  }
  __syncwarp();
  cluster_barrier();  // no block exits while the other still writes to its shared memory
}

// ---- Transposing B ------------------------------------------------------------------------------

// Rounded to the 11 significant bits that the tensor cores use.
__device__ float to_tf32(float value) {
  std::uint32_t rounded = 0;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return __uint_as_float(rounded);
}

// transposed[n][k] = b[k][n]. A block transposes kTransposed x kTransposed elements in shared
// memory.
__global__ void __launch_bounds__(kTransposers)
    transpose(const float* b, float* transposed, int k, int n) {
  __shared__ float tile[kTransposed][kTransposed + 1];
  constexpr int kAtOnce = kTransposers / kTransposed;  // rows
  const int first_k = blockIdx.y * kTransposed;
  const int first_n = blockIdx.x * kTransposed;
  const int along = threadIdx.x % kTransposed;
  const int down = threadIdx.x / kTransposed;
#pragma unroll
  for (int i = 0; i < kTransposed; i += kAtOnce) {
    const int row = first_k + down + i;
    const int column = first_n + along;
    if (row < k && column < n) {
      tile[down + i][along] = b[static_cast<std::size_t>(row) * n + column];
    }
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTransposed; i += kAtOnce) {
    const int row = first_n + down + i;
    const int column = first_k + along;
    if (row < n && column < k) {
      transposed[static_cast<std::size_t>(row) * k + column] = to_tf32(tile[along][down + i]);
    }
  }
}

// ---- The host's side ----------------------------------------------------------------------------

// A row-major matrix, of which the copy engine loads boxes of box_rows x 32.
CUtensorMap map_of(const float* data, int rows, int columns, int box_rows) {
  static const auto encode = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000,
                                           cudaEnableDefault, &result));
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  }();
  CUtensorMap map{};
  const cuuint64_t extents[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t pitch[] = {sizeof(float) * static_cast<cuuint64_t>(columns)};
  const cuuint32_t box[] = {32, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult status =
      encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, const_cast<float*>(data), extents, pitch,
             box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
             CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) {
    std::fprintf(stderr, "%s: the copy engine cannot load from a %d x %d matrix\n", __FILE__, rows,
                 columns);
    std::exit(1);
  }
  return map;
}

// Memory that is freed in stream order stays with this process, for the next call.
void keep_freed_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t{0};
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  keep_freed_memory();
  float* transposed = nullptr;
  CHECK(cudaMallocAsync(&transposed, sizeof(float) * n * k, 0));
  transpose<<<dim3(ceil_div(n, kTransposed), ceil_div(k, kTransposed)), kTransposers>>>(
      b, transposed, k, n);
  CHECK(cudaGetLastError());
  const CUtensorMap a_map = map_of(a, m, k, kRows);
  const CUtensorMap b_map = map_of(transposed, n, k, kColumnsEach);
  CHECK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes));
  // Whole clusters and phases: elements out of bounds are read as zeros and not stored.
  const dim3 grid(ceil_div(m, kRows * kCluster) * kCluster, ceil_div(n, kColumns));
  multiply<<<grid, kThreads, kSharedBytes>>>(a_map, b_map, c, m, n, ceil_div(k, kDepth));
  CHECK(cudaGetLastError());
  CHECK(cudaFreeAsync(transposed, 0));
}
