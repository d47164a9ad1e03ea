#pragma once

// Instructions of compute capability 8.0 that have no name in CUDA C++, from the PTX manual: copies
// into shared memory that nothing waits for, and products of a warp's registers in bfloat16.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace sm80 {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// ---- Asynchronous copies ------------------------------------------------------------------------

/// Copies 16 bytes to shared memory, or 16 zeros unless `exists`. Both addresses are multiples of
/// 16; without `exists`, `from` is not read.
__device__ __forceinline__ void copy_16(void* to, const void* from, bool exists) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)), "l"(from),
               "r"(exists ? 16 : 0)
               : "memory");
}
/// What this thread has copied since the last group is a group of its own; it may be empty.
__device__ __forceinline__ void end_of_group() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most the kGroups newest groups of this thread are under way.
template <int kGroups>
__device__ __forceinline__ void wait_for_all_but() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}

// ---- Products -----------------------------------------------------------------------------------

/// Loads four matrices of 8 x 8 elements. Lane i gives the address of row i % 8 of matrix i / 8, 16
/// bytes in shared memory. Of each matrix it gets the elements 2 * (i % 4) and the next one of row
/// i / 4, in one register.
__device__ __forceinline__ void load_matrices(std::uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}
/// The same of the transposed matrices: a lane gets two elements of a column.
__device__ __forceinline__ void load_transposed(std::uint32_t (&to)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared_address(row))
               : "memory");
}

/// d += a * b: 16 x 8 sums of a warp, of 16 x 16 and 16 x 8 factors. Lane i has the sums of rows
/// i / 4 (d[0], d[1]) and i / 4 + 8 (d[2], d[3]), in columns 2 * (i % 4) and the next one. Its
/// factors are a[0] to a[3], the upper left, lower left, upper right and lower right 8 x 8 elements
/// of A, and the upper and the lower 8 x 8 elements of B, by columns.
__device__ __forceinline__ void multiply_add(float (&d)[4], const std::uint32_t (&a)[4],
                                             std::uint32_t upper, std::uint32_t lower) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(upper), "r"(lower));
}

}  // namespace sm80
