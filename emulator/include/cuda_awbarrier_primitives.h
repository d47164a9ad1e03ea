#pragma once

// Asynchronous barriers in shared memory (Programming Guide, "Memory Barrier Primitives
// Interface"): the mbarrier instructions, from compute capability 8.0 on.

#include "cuda_runtime.h"

#if defined(__CUDA__)

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

namespace warpgrade_cuda {
WARPGRADE_DEVICE unsigned in_shared(const void* pointer) {
  return (unsigned)__cvta_generic_to_shared(pointer);
}
}  // namespace warpgrade_cuda

WARPGRADE_DEVICE unsigned __mbarrier_maximum_count() {
  return (1u << 20) - 1;
}
WARPGRADE_DEVICE void __mbarrier_init(__mbarrier_t* barrier, unsigned expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(warpgrade_cuda::in_shared(barrier)),
               "r"(expected)
               : "memory");
}
WARPGRADE_DEVICE void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(warpgrade_cuda::in_shared(barrier))
               : "memory");
}
#define WARPGRADE_MBARRIER_ARRIVE(name, instruction)                \
  WARPGRADE_DEVICE __mbarrier_token_t name(__mbarrier_t* barrier) { \
    __mbarrier_token_t token;                                       \
    asm volatile("mbarrier." instruction ".shared.b64 %0, [%1];"    \
                 : "=l"(token)                                      \
                 : "r"(warpgrade_cuda::in_shared(barrier))          \
                 : "memory");                                       \
    return token;                                                   \
  }
#define WARPGRADE_MBARRIER_PART(name, instruction)                                  \
  WARPGRADE_DEVICE __mbarrier_token_t name(__mbarrier_t* barrier, unsigned count) { \
    __mbarrier_token_t token;                                                       \
    asm volatile("mbarrier." instruction ".noComplete.shared.b64 %0, [%1], %2;"     \
                 : "=l"(token)                                                      \
                 : "r"(warpgrade_cuda::in_shared(barrier)), "r"(count)              \
                 : "memory");                                                       \
    return token;                                                                   \
  }
WARPGRADE_MBARRIER_ARRIVE(__mbarrier_arrive, "arrive")
WARPGRADE_MBARRIER_ARRIVE(__mbarrier_arrive_and_drop, "arrive_drop")
WARPGRADE_MBARRIER_PART(__mbarrier_arrive_and_no_complete, "arrive")
WARPGRADE_MBARRIER_PART(__mbarrier_arrive_and_drop_and_no_complete, "arrive_drop")
#undef WARPGRADE_MBARRIER_PART
#undef WARPGRADE_MBARRIER_ARRIVE
WARPGRADE_DEVICE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(warpgrade_cuda::in_shared(barrier)), "l"(token)
               : "memory");
  return done != 0;
}
WARPGRADE_DEVICE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  unsigned done;
  asm volatile(
      "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(warpgrade_cuda::in_shared(barrier)), "r"((unsigned)parity)
      : "memory");
  return done != 0;
}
WARPGRADE_DEVICE unsigned __mbarrier_token_pending_count(__mbarrier_token_t token) {
  unsigned count;
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}
/// The barrier's phase also waits for the copies that this thread began.
WARPGRADE_DEVICE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(warpgrade_cuda::in_shared(barrier))
               : "memory");
}

#endif

#endif
