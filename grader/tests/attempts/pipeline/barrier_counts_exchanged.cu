#include "pipeline.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

constexpr int kColumns = 32;
constexpr int kRows = 32;
constexpr int kStages = 4;
constexpr int kConsumers = 32;
constexpr int kProducers = 96;

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

__device__ void arm(__mbarrier_t* barrier, int count) { __mbarrier_init(barrier, count); }

__global__ void add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ float stages[kStages][kRows][kColumns];
  __shared__ __mbarrier_t full[kStages];
  __shared__ __mbarrier_t empty[kStages];

  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      arm(&full[s], kConsumers);
      arm(&empty[s], kProducers);
    }
  }
  __syncthreads();

  const int first_column = blockIdx.x * kColumns;
  const int steps = (rows + kRows - 1) / kRows;
  if (threadIdx.x >= kConsumers) {
    const int producer = threadIdx.x - kConsumers;
    for (int i = 0; i < steps; ++i) {
      const int s = i % kStages;
      const int round = i / kStages;
      wait_for(&empty[s], (round + 1) % 2);
      for (int e = producer; e < kRows * kColumns; e += kProducers) {
        const int row = i * kRows + e / kColumns;
        const int column = first_column + e % kColumns;
        float* to = &stages[s][e / kColumns][e % kColumns];
        if (row < rows && column < columns) {
          __pipeline_memcpy_async(to, &in[static_cast<size_t>(row) * columns + column], sizeof(float));
        } else {
          *to = 0.0f;
        }
      }
      __pipeline_arrive_on(&full[s]);
      (void)__mbarrier_arrive(&full[s]);
    }
  } else {
    float sum = 0.0f;
    for (int i = 0; i < steps; ++i) {
      const int s = i % kStages;
      wait_for(&full[s], i / kStages % 2);
      for (int r = 0; r < kRows; ++r) sum += stages[s][r][threadIdx.x];
      (void)__mbarrier_arrive(&empty[s]);
    }
    if (first_column + threadIdx.x < columns) out[first_column + threadIdx.x] = sum;
  }
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  add_columns<<<(columns + kColumns - 1) / kColumns, kConsumers + kProducers>>>(in, out, rows, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
