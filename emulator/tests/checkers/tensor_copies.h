#pragma once

#include <cuda.h>

#include "emulator/tests/checkers/wgmma.h"

// Loads by tensor map, and their mbarrier. Macros, so that findings name the lines that use them.

/// Of 64 rows of 64 elements of f16; a box is all of them.
inline CUtensorMap map_of(void* data, CUtensorMapSwizzle swizzle) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = {};
  look(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault,
                                        &status));
  const auto encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(found);
  CUtensorMap map = {};
  const cuuint64_t size[] = {64, 64}, stride[] = {128};
  const cuuint32_t box[] = {64, 64}, step[] = {1, 1};
  encode(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, data, size, stride, box, step,
         CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
         CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

#define LOAD(map, x, y, to, barrier)                                                 \
  asm volatile(                                                                      \
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes " \
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),                       \
      "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))                         \
      : "memory")
#define EXPECT(barrier, bytes)                                                                 \
  asm volatile(                                                                                \
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), \
      "r"(int(bytes))                                                                          \
      : "memory")
#define WAIT_FOR(barrier, parity)                                                             \
  asm volatile(                                                                               \
      "{\n.reg .pred done;\nagain:\n"                                                         \
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"( \
          shared_address(barrier)),                                                           \
      "r"(parity)                                                                             \
      : "memory")

__device__ inline void begin(std::uint64_t* barrier, int arrivals = 1) {
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
}

__device__ inline void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
               : "memory");
}

struct alignas(1024) Tile {
  unsigned short a[64][64];
};
