#pragma once

// In half precision: wgmma as attention needs it, and a tensor map that knows heads. What else
// there is for Hopper is in sm90.h.
#include <cuda_fp16.h>

#include <cstdint>

#include "sm90.h"

namespace sm90 {

// ---- The copy engine ----------------------------------------------------------------------------

/// An array of heads * n * depth halves, of which the copy engine loads boxes of 64 elements x
/// box_rows of one head, with a swizzle of 128 bytes: the 16-byte chunk c of row r is at
/// c ^ (r % 8). Rows after the head's last one are filled with zeros.
inline CUtensorMap map_of_heads(const __half* data, int heads, int n, int depth, int box_rows) {
  CUtensorMap map{};
  const auto unsign = [](int value) { return static_cast<cuuint64_t>(value); };
  const cuuint64_t extents[] = {unsign(depth), unsign(n), unsign(heads)};
  const cuuint64_t row = sizeof(__half) * unsign(depth);
  const cuuint64_t pitches[] = {row, row * unsign(n)};
  const cuuint32_t box[] = {64, static_cast<cuuint32_t>(box_rows), 1};
  const cuuint32_t steps[] = {1, 1, 1};
  const CUresult status = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, const_cast<__half*>(data), extents, pitches, box,
      steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
      CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (status != CUDA_SUCCESS) {
    std::fprintf(stderr, "%s: the copy engine cannot load from %d heads of %d x %d\n", __FILE__,
                 heads, n, depth);
    std::exit(1);
  }
  return map;
}

/// Begins to load the box at column x and row y of a head.
__device__ __forceinline__ void load_box(const CUtensorMap* map, int x, int y, int head, void* to,
                                         std::uint64_t* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4}], [%5];" ::"r"(shared_address(to)),
      "l"(map), "r"(x), "r"(y), "r"(head), "r"(shared_address(barrier))
      : "memory");
}

// ---- wgmma --------------------------------------------------------------------------------------

// The sums of a lane lie in d as those of mma.sync do, eight columns after the other: warp i of the
// four has rows 16 i to 16 i + 15; of them, lane j has rows j / 4 (d[4 c], d[4 c + 1]) and j / 4 +
// 8 (d[4 c + 2], d[4 c + 3]), in columns 8 c + 2 (j % 4) and the next one.

/// d += a * b, or without `add` d = a * b: 64 x 128 sums of four warps, of 64 x 16 and 16 x 128
/// elements in shared memory, both with the 16 along their rows.
__device__ __forceinline__ void multiply_add(float (&d)[64], std::uint64_t a, std::uint64_t b,
                                             int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SM90_NAMES_64
      "}, %64, %65, add, 1, 1, 0, 0;\n"
      "}"
      : SM90_SUMS_64(d)
      : "l"(a), "l"(b), "r"(add));
}

/// The same with a in registers, as mma.sync has it, and b with the 128 along its rows.
__device__ __forceinline__ void multiply_add(float (&d)[64], const std::uint32_t* a,
                                             std::uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %69, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SM90_NAMES_64
      "}, {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n"
      "}"
      : SM90_SUMS_64(d)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/// The same for 64 x 64 sums.
__device__ __forceinline__ void multiply_add(float (&d)[32], const std::uint32_t* a,
                                             std::uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, "
      "%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
      "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n"
      "}"
      : SM90_16(d, 0), SM90_16(d, 16)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

}  // namespace sm90
