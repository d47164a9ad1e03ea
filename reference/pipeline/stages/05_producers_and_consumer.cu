// Rung 5: producers and a consumer.
//
// Four warps copy, one adds, and none of them waits for more than it needs: an mbarrier says that a
// stage is full, another one that it is empty. With four stages the producers may be three steps
// ahead. An arrival at `full` is made twice: __pipeline_arrive_on makes the phase wait for the
// copies that the thread has begun, __mbarrier_arrive is the arrival that the count expects; it
// also says that zeros stored by the thread are there.
//
// A stage is used once per round. Its phases have the parity of the round, and the producers wait
// for the phase before: in round 0 that is over by definition.
//
// Cost: one barrier of the block, at the beginning.
#include "pipeline.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>
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

constexpr int kColumns = 32;
constexpr int kRows = 32;  // of a stage
constexpr int kStages = 4;
constexpr int kConsumers = 32;
constexpr int kProducers = 128;
constexpr int kThreads = kConsumers + kProducers;

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

__global__ void __launch_bounds__(kThreads)
    add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ float stages[kStages][kRows][kColumns];
  __shared__ __mbarrier_t full[kStages];
  __shared__ __mbarrier_t empty[kStages];
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kColumns + lane;
  const int steps = (rows + kRows - 1) / kRows;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      __mbarrier_init(&full[s], kProducers);
      __mbarrier_init(&empty[s], kConsumers);
    }
  }
  __syncthreads();

  if (threadIdx.x >= kConsumers) {
    const int warp = (threadIdx.x - kConsumers) / 32;
    for (int step = 0; step < steps; ++step) {
      const int s = step % kStages;
      const int round = step / kStages;
      wait_for(&empty[s], (round + 1) % 2);
      for (int r = warp; r < kRows; r += kProducers / 32) {
        const int row = step * kRows + r;
        if (row < rows && column < columns) {
          const float* from = in + static_cast<std::size_t>(row) * columns + column;
          __pipeline_memcpy_async(&stages[s][r][lane], from, sizeof(float));
        } else {
          stages[s][r][lane] = 0;
        }
      }
      __pipeline_arrive_on(&full[s]);
      (void)__mbarrier_arrive(&full[s]);
    }
    return;
  }

  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    const int s = step % kStages;
    const int round = step / kStages;
    wait_for(&full[s], round % 2);
#pragma unroll
    for (int r = 0; r < kRows; ++r) sum += stages[s][r][lane];
    (void)__mbarrier_arrive(&empty[s]);
  }
  if (column < columns) out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kThreads>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
