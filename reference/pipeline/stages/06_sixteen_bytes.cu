// Rung 6: copies of 16 bytes.
//
// Where all rows begin at multiples of 16 bytes, a lane copies four columns at once, and eight
// lanes a row: a quarter of the instructions, which one warp has time for. Eight stages keep 32 KB
// under way, about what a multiprocessor needs to hide the latency of memory.
//
// Cost: 8 copies per warp and stage in place of 32.
#include "pipeline.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
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
constexpr int kStages = 8;
constexpr int kThreads = 64;  // a warp that copies and a warp that adds

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

// A warp begins the copies of a stage, in pieces of kWidth columns: lanes beside each other have
// pieces of a row beside each other, and after the end of a row they go on with the next one.
template <int kWidth>
__device__ void fetch(float (*stage)[kColumns], const float* in, int first_row, int rows,
                      int columns) {
  constexpr int kPieces = kColumns / kWidth;  // of a row
  const int lane = threadIdx.x % 32;
  const int c = lane % kPieces * kWidth;
  const int column = blockIdx.x * kColumns + c;
#pragma unroll 8
  for (int i = 0; i < kRows * kPieces / 32; ++i) {
    const int r = i * (32 / kPieces) + lane / kPieces;
    const int row = first_row + r;
    if (row < rows && column < columns) {
      const float* from = in + static_cast<std::size_t>(row) * columns + column;
      __pipeline_memcpy_async(&stage[r][c], from, kWidth * sizeof(float));
    } else {
      for (int k = 0; k < kWidth; ++k) stage[r][c + k] = 0;
    }
  }
}

// @param kWidth  4 if all rows begin at multiples of 16 bytes, else 1
template <int kWidth>
__global__ void __launch_bounds__(kThreads)
    add_columns(const float* in, float* out, int rows, int columns) {
  __shared__ __align__(16) float stages[kStages][kRows][kColumns];
  __shared__ __mbarrier_t full[kStages];
  __shared__ __mbarrier_t empty[kStages];
  const int lane = threadIdx.x % 32;
  const int column = blockIdx.x * kColumns + lane;
  const int steps = (rows + kRows - 1) / kRows;
  if (threadIdx.x < kStages) {
    __mbarrier_init(&full[threadIdx.x], 32);
    __mbarrier_init(&empty[threadIdx.x], 32);
  }
  __syncthreads();

  if (threadIdx.x >= 32) {
    for (int step = 0; step < steps; ++step) {
      const int s = step % kStages;
      wait_for(&empty[s], (step / kStages + 1) % 2);
      fetch<kWidth>(stages[s], in, step * kRows, rows, columns);
      __pipeline_arrive_on(&full[s]);
      (void)__mbarrier_arrive(&full[s]);
    }
    return;
  }

  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    const int s = step % kStages;
    wait_for(&full[s], step / kStages % 2);
#pragma unroll
    for (int r = 0; r < kRows; ++r) sum += stages[s][r][lane];
    (void)__mbarrier_arrive(&empty[s]);
  }
  if (column < columns) out[column] = sum;
}

void ordered_sums(const float* in, float* out, int rows, int columns) {
  if (columns == 0) return;
  const bool wide = columns % 4 == 0 && reinterpret_cast<std::uintptr_t>(in) % 16 == 0;
  const auto kernel = wide ? add_columns<4> : add_columns<1>;
  kernel<<<(columns + kColumns - 1) / kColumns, kThreads>>>(in, out, rows, columns);
  CHECK(cudaGetLastError());
}
