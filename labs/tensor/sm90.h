#pragma once

// What the kernels for Hopper share (compute capability 9.0, sm_90a only), from the PTX manual:
// barriers in shared memory, the copy engine (TMA), and wgmma, by which four warps multiply
// matrices that are in shared memory.
#if defined(__clang__) && !defined(__NVCC__)
#error sm90.h needs nvcc
#endif

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define SM90_CHECK(call)                                                                   \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace sm90 {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// The start of the dynamic shared memory, at the next multiple of 1024 bytes: boxes with a swizzle
/// of 128 bytes need it.
template <class Shared>
__device__ __forceinline__ Shared& aligned(unsigned char* memory) {
  return *reinterpret_cast<Shared*>(memory + (1024 - shared_address(memory) % 1024) % 1024);
}

// ---- Barriers in shared memory ------------------------------------------------------------------

__device__ __forceinline__ void init_barrier(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(arrivals));
}

__device__ __forceinline__ void barriers_are_ready() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void wait(std::uint64_t* barrier, int parity) {
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

/// Arrives, and announces bytes that the copy engine will write.
__device__ __forceinline__ void expect(std::uint64_t* barrier, int bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}

__device__ __forceinline__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

/// Arrives at the same barrier of another block of the cluster, or of this one. Not
/// `.release.cluster`, which is a fence for the whole GPU and takes longer than a phase: the
/// arriving warp has only read, and wgmma has read its operands when its group has completed.
__device__ __forceinline__ void arrive_at(std::uint64_t* barrier, int block) {
  asm volatile(
      "{\n"
      ".reg .b32 there;\n"
      "mapa.shared::cluster.u32 there, %0, %1;\n"
      "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
      "}" ::"r"(shared_address(barrier)),
      "r"(block)
      : "memory");
}

__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ int rank_in_cluster() {
  int rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// ---- The copy engine ----------------------------------------------------------------------------

__device__ __forceinline__ void load_box(const CUtensorMap* map, int x, int y, void* to,
                                         std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
      : "memory");
}

/// The same for both blocks of a cluster, each at the same place and with its own barrier.
__device__ __forceinline__ void load_box_for_both(const CUtensorMap* map, int x, int y, void* to,
                                                  std::uint64_t* barrier) {
  constexpr std::uint16_t kBoth = 3;
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"(kBoth)
      : "memory");
}

/// A row-major matrix, of which the copy engine loads boxes of 128 bytes x box_rows with a swizzle
/// of 128 bytes: the 16-byte chunk c of row r is at c ^ (r % 8). Rows have to begin at multiples of
/// 16 bytes. What is out of bounds is filled with zeros. A function of the driver makes the map, so
/// programs are linked with -lcuda.
inline CUtensorMap map_of(CUtensorMapDataType type, int element_bytes, const void* data, int rows,
                          int columns, int box_rows) {
  CUtensorMap map{};
  const auto unsign = [](int value) { return static_cast<cuuint32_t>(value); };
  const cuuint64_t extents[] = {unsign(columns), unsign(rows)};
  const cuuint64_t pitch[] = {cuuint64_t{unsign(element_bytes)} * unsign(columns)};
  const cuuint32_t box[] = {unsign(128 / element_bytes), unsign(box_rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult status =
      cuTensorMapEncodeTiled(&map, type, 2, const_cast<void*>(data), extents, pitch, box, steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                             CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) {
    std::fprintf(stderr, "%s: the copy engine cannot load from a %d x %d matrix\n", __FILE__, rows,
                 columns);
    std::exit(1);
  }
  return map;
}

// ---- Registers ----------------------------------------------------------------------------------

/// words[i] of lane q becomes words[q] of lane i, for the four lanes of a quad.
__device__ __forceinline__ void transpose_in_quad(std::uint32_t (&words)[4], int lane) {
#pragma unroll
  for (int distance = 1; distance <= 2; distance *= 2) {
    const bool upper = lane & distance;
#pragma unroll
    for (int pair = 0; pair < 2; ++pair) {
      const int low = distance == 1 ? 2 * pair : pair;
      const int high = low + distance;
      const std::uint32_t theirs =
          __shfl_xor_sync(0xffffffffu, upper ? words[low] : words[high], distance);
      if (upper) {
        words[low] = theirs;
      } else {
        words[high] = theirs;
      }
    }
  }
}

// ---- wgmma --------------------------------------------------------------------------------------

/// An operand in shared memory, in boxes with rows of 128 bytes and a swizzle of 128 bytes. Groups
/// of 8 rows are 1024 bytes apart. Where a row runs along k, that is all. Where a row runs along m
/// or n, the next elements of m or n are `next_box` bytes away.
__device__ __forceinline__ std::uint64_t describe(const void* operand, int next_box = 16) {
  constexpr std::uint64_t kSwizzled = std::uint64_t{1} << 62;
  constexpr std::uint64_t kGroups = std::uint64_t{1024 / 16} << 32;
  const std::uint64_t boxes = static_cast<std::uint64_t>(next_box / 16) << 16;
  return kSwizzled | kGroups | boxes | (shared_address(operand) & 0x3ffff) >> 4;
}

/// Before wgmma uses registers that other instructions have written.
__device__ __forceinline__ void begin_queueing() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void end_of_group() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int kGroups>
__device__ __forceinline__ void wait_for_all_but() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(kGroups) : "memory");
}

template <int kRegisters>
__device__ __forceinline__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
}
template <int kRegisters>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
}

}  // namespace sm90

// The sums of a lane, %0 to %63 and %0 to %127, in an instruction's text and as its operands.
#define SM90_NAMES_64                                       \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, " \
  "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, " \
  "%35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, " \
  "%46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, " \
  "%57, %58, %59, %60, %61, %62, %63"
#define SM90_NAMES_128                                        \
  SM90_NAMES_64                                               \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, " \
  "%75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, "   \
  "%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, "   \
  "%97, %98, %99, %100, %101, %102, %103, %104, %105, %106, " \
  "%107, %108, %109, %110, %111, %112, %113, %114, %115, "    \
  "%116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define SM90_4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SM90_16(d, i) SM90_4(d, i), SM90_4(d, i + 4), SM90_4(d, i + 8), SM90_4(d, i + 12)
#define SM90_64(d, i) SM90_16(d, i), SM90_16(d, i + 16), SM90_16(d, i + 32), SM90_16(d, i + 48)
#define SM90_SUMS_64(d) SM90_64(d, 0)
#define SM90_SUMS_128(d) SM90_64(d, 0), SM90_64(d, 64)

namespace sm90 {

/// d += a * b, or without `add` d = a * b: 64 x 256 sums of four warps, of 64 x 16 and 16 x 256
/// elements of bfloat16 in shared memory, a with k along its rows, b with n along them.
/// Asynchronous: until its group has been waited for, d belongs to the tensor cores. Warp i of the
/// four has rows 16 i to 16 i + 15; of them, lane j has rows j / 4 (d[4 c], d[4 c + 1]) and j / 4 +
/// 8 (d[4 c + 2], d[4 c + 3]), in columns 8 c + 2 (j % 4) and the next one.
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

/// Rounds a warp's 16 x 256 sums and stores them in C, m x n, at (first_row, first_column). Four
/// lanes have 8 adjacent columns of a row among them; they exchange words until each has 16 bytes.
__device__ __forceinline__ void store(const float (&sums)[128], __nv_bfloat16* c, int first_row,
                                      int first_column, int m, int n) {
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
#pragma unroll
    for (int lower = 0; lower < 2; ++lower) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int from = 4 * (4 * j + i) + 2 * lower;
        const __nv_bfloat162 pair = __floats2bfloat162_rn(sums[from], sums[from + 1]);
        words[i] = reinterpret_cast<const std::uint32_t&>(pair);
      }
      transpose_in_quad(words, lane);
      const int row = first_row + 8 * lower + lane / 4;
      const int column = first_column + 32 * j + lane % 4 * 8;
      if (row >= m || column >= n) continue;
      *reinterpret_cast<uint4*>(c + static_cast<std::size_t>(row) * n + column) =
          make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
}

}  // namespace sm90
