#include "pipeline.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

// A block has 32 columns. Its first warp adds, the others copy rows into stages of shared memory.
constexpr int kColumns = 32;
constexpr int kRows = 32;  // of a stage
constexpr int kStages = 4;
constexpr int kConsumers = 32;
constexpr int kProducers = 96;

// Returns when the barrier's phase with this parity is over: 0 for the first one, then 1, 0, ...
__device__ void wait_for(__mbarrier_t* barrier, int parity) {
  unsigned over = 0;
  while (over == 0) {
    asm volatile(
        "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n}"
        : "=r"(over)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(barrier))), "r"(parity)
        : "memory");
  }
}

__global__ void add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ float stages[kStages][kRows][kColumns];
  __shared__ __mbarrier_t full[kStages];
  __shared__ __mbarrier_t empty[kStages];

  // TODO 1: initialize the barriers, each with the number of threads that arrive at it. What has
  // to happen before other threads use them?

  if (threadIdx.x >= kConsumers) {
    // TODO 2: for each step: wait until the stage is empty, begin the copies of this thread, and
    // arrive at `full`. Which parity does the wait need in the first round, when all stages are
    // empty? What becomes of rows and columns that do not exist?
  } else {
    // TODO 3: for each step: wait until the stage is full, add its rows in their order, and arrive
    // at `empty`. Then store the sum.
  }
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  // in and out are in device memory already: nothing has to be copied to the host or back.

  // TODO 4: when is there nothing to do? Launch the kernel, and check the launch.
}
