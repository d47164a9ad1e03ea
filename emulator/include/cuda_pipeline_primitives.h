#pragma once

// Asynchronous copies from global to shared memory (Programming Guide, "Asynchronous Data Copies
// using the C primitives"). Below compute capability 8.0 they are ordinary copies.

#include "cuda_runtime.h"

#if defined(__CUDA__)

/// Begins the copy of 4, 8 or 16 bytes; the last `zfill` of them are zeros instead.
WARPGRADE_DEVICE void __pipeline_memcpy_async(void* __restrict__ to, const void* __restrict__ from,
                                              size_t size_and_align, size_t zfill = 0) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
  const size_t global = __cvta_generic_to_global(from);
  const unsigned copied = (unsigned)(size_and_align - zfill);
  if (size_and_align == 16) {
    if (zfill == 0) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global)
                   : "memory");
    } else {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global),
                   "r"(copied)
                   : "memory");
    }
  } else if (size_and_align == 8) {
    if (zfill == 0) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(shared), "l"(global)
                   : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(shared), "l"(global),
                   "r"(copied)
                   : "memory");
    }
  } else {
    if (zfill == 0) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(global)
                   : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(shared), "l"(global),
                   "r"(copied)
                   : "memory");
    }
  }
#else
  if (zfill > 0) {
    for (size_t i = 0; i < size_and_align; ++i) {
      ((char*)to)[i] = i < size_and_align - zfill ? ((const char*)from)[i] : (char)0;
    }
  } else if (size_and_align == 16) {  // one access of the size, as the instruction would make
    *(uint4*)to = *(const uint4*)from;
  } else if (size_and_align == 8) {
    *(uint2*)to = *(const uint2*)from;
  } else {
    *(unsigned*)to = *(const unsigned*)from;
  }
#endif
}

/// Ends a batch of copies.
WARPGRADE_DEVICE void __pipeline_commit() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/// Waits until at most the last `batches` are still in flight. The instruction takes a constant;
/// for more than 8 it waits for more batches than necessary.
WARPGRADE_DEVICE void __pipeline_wait_prior(size_t batches) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPGRADE_WAIT(n)                                     \
  case n:                                                     \
    asm volatile("cp.async.wait_group " #n ";" ::: "memory"); \
    break;
  switch (batches) {
    WARPGRADE_WAIT(0)
    WARPGRADE_WAIT(1)
    WARPGRADE_WAIT(2)
    WARPGRADE_WAIT(3)
    WARPGRADE_WAIT(4)
    WARPGRADE_WAIT(5)
    WARPGRADE_WAIT(6)
    WARPGRADE_WAIT(7)
    default:
      WARPGRADE_WAIT(8)
  }
#undef WARPGRADE_WAIT
#else
  (void)batches;
#endif
}

#endif
