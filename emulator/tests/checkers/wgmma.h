#pragma once

#include <cstdint>

#include "emulator/tests/checkers/pair.h"

// One product of a warp group: 64 x 16 and 16 x 8 elements of f16, with float sums. Macros, so that
// findings name the lines that use them.

__device__ inline std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Operands without a swizzle: rows of 8 x 16 bytes, 128 bytes from one half of k to the other and
/// 256 from one group of 8 rows to the next.
__device__ inline std::uint64_t describe(const void* operand) {
  return std::uint64_t{256 / 16} << 32 | std::uint64_t{128 / 16} << 16 |
         (shared_address(operand) & 0x3ffff) >> 4;
}

struct alignas(1024) Operands {
  unsigned short a[64 * 16];
  unsigned short b[8 * 16];
};

#define MULTIPLY(d, a, b)                                                                      \
  asm volatile(                                                                                \
      "{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\n"                                              \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0" \
      ", 0;\n}"                                                                                \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                         \
      : "l"(a), "l"(b), "r"(1))
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT() asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")

__device__ inline void fill(Operands& operands) {
  for (int i = int(threadIdx.x); i < 64 * 16; i += int(blockDim.x)) operands.a[i] = 0x3c00;
  for (int i = int(threadIdx.x); i < 8 * 16; i += int(blockDim.x)) operands.b[i] = 0x3c00;
  PROXY_FENCE();
  __syncthreads();
}
