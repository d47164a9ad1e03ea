// Rung 14: tiles of 128 x 256, 8 x 16 elements per thread, copied by the hardware.
//
// What a multiprocessor does for a multiply-add is one instruction, and every other instruction
// takes the place of one. So this rung is about the others:
//
// - 8 x 16 elements of C a thread: 128 multiply-adds for six 16-byte loads from shared memory. The
//   sums take 128 registers, so one block of 256 threads has the multiprocessor for itself.
// - Copies from global to shared memory need no registers and no store (cp.async, from compute
//   capability 8.0 on; older cards load and store). Four phases' tiles are there at once: one is
//   multiplied, three are on their way, and one barrier per phase is enough. They are asked for a
//   few at a time, between multiply-adds: all at once, they would queue up and the warp with them.
// - No conditions in the loop. Threads beyond the last row or column copy the last one again: what
//   they add up is stored nowhere. The first phase takes what k leaves over, with zeros.
// - The factors of the next step are loaded while this one is multiplied, so that no thread waits
//   for shared memory. The multiply-adds go down a column of the thread's piece and up the next:
//   each has a factor in common with the one before, which is read from the register file once.
// - Four floats are one copy only where rows begin at multiples of 16 bytes. Where B's do not, they
//   are moved apart first: one pass over B, which is read once for every 128 rows of A afterwards.
//
// Cost: 16 steps are 2048 multiply-adds and some 150 other instructions per thread. On an H200 it
// is as fast as cuBLAS (docs/performance.md). A small C has too few of these tiles to fill a card:
// there, rungs 11 and 12 are faster.
#include "gemm.h"

#include <cuda_runtime.h>

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

namespace {

constexpr int kRows = 128;  // of C a block
constexpr int kColumns = 256;
constexpr int kDepth = 16;  // steps per phase
constexpr int kThreads = 256;
constexpr int kDown = 8;  // rows of C a thread, in groups of four
constexpr int kAcross = 16;  // columns
// A warp has 64 x 64 elements of C: 8 lanes down, 4 across; two warps down, four across.
constexpr int kLanesDown = 8;
constexpr int kLanesAcross = 4;
constexpr int kWarpsAcross = 4;

struct Tiles {
  float a[kDepth][kRows + 4];  // transposed; the pitch lets a warp store 8 steps of 4 rows at once
  float b[kDepth][kColumns];
};

// Copies kFloats neighbours to shared memory, or zeros unless `exists`; asynchronous.
template <int kFloats>
__device__ __forceinline__ void copy(float* to, const float* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  const auto there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  constexpr int kBytes = kFloats * static_cast<int>(sizeof(float));
  if (kFloats == 4) {  // past the first-level cache
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(there), "l"(from),
                 "n"(kBytes), "r"(exists ? kBytes : 0));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(there), "l"(from),
                 "n"(kBytes), "r"(exists ? kBytes : 0));
  }
#else
  if (kFloats == 4) {
    *reinterpret_cast<float4*>(to) =
        exists ? *reinterpret_cast<const float4*>(from) : make_float4(0, 0, 0, 0);
  } else {
    *to = exists ? *from : 0;
  }
#endif
}

// The copies of one phase are a group. At most kGroups groups are left after this.
__device__ __forceinline__ void end_of_group() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}
template <int kGroups>
__device__ __forceinline__ void wait_for_all_but() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
#endif
}

__host__ __device__ int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

// B with `columns` columns, and from one row to the next `pitch` floats.
struct MatrixB {
  const float* data;
  int columns;
  int pitch;
};

// What a thread copies of each phase. kWidth: floats a copy of B, 4 where all its rows begin at a
// multiple of 16 bytes. The first phase is the one that may have less than kDepth steps.
template <int kWidth>
class Courier {
 public:
  static constexpr int kParts = kDepth / 2;  // that a phase's copies come in

  __device__ Courier(const float* a, const MatrixB& b, int m, int k, int first_row,
                     int first_column)
      : steps_left_(k), b_pitch_(b.pitch) {
#pragma unroll
    for (int i = 0; i < kRowsOfA; ++i) {
      const int row = min(first_row + a_row() + i * kRowsAtOnce, m - 1);
      a_[i] = a + static_cast<size_t>(row) * k + a_step();
    }
    const int column = min(first_column + b_column(), b.pitch - kWidth);
    b_ = b.data + static_cast<size_t>(b_step()) * b.pitch + column;
  }

  // Copies the first phase.
  __device__ void fetch_first(Tiles& to) {
    const int steps = steps_left_ % kDepth == 0 ? kDepth : steps_left_ % kDepth;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      fetch_part(to, part, [=](int step) { return step < steps; });
    }
    advance(steps);
  }

  // Starts to copy a part of the next phase, if there is one. All parts, then advance().
  __device__ __forceinline__ void fetch_part(Tiles& to, int part) {
    fetch_part(to, part, [this](int) { return steps_left_ > 0; });
  }
  __device__ __forceinline__ void advance() {
    if (steps_left_ > 0) advance(kDepth);
    end_of_group();
  }

 private:
  static constexpr int kRowsAtOnce = kThreads / 8;
  static constexpr int kRowsOfA = kRows / kRowsAtOnce;
  static constexpr int kThreadsARow = kColumns / kWidth;  // of B
  static constexpr int kStepsAtOnce = kThreads / kThreadsARow;
  static_assert(kRowsOfA * kDepth / 8 == kParts, "a part is one copy of A");

  // A warp takes 8 steps, 32 bytes, of 4 rows of A.
  static __device__ int a_row() {
    return threadIdx.x / 8;
  }
  static __device__ int a_step() {
    return threadIdx.x % 8;
  }
  static __device__ int b_step() {
    return threadIdx.x / kThreadsARow;
  }
  static __device__ int b_column() {
    return threadIdx.x % kThreadsARow * kWidth;
  }

  template <class Exists>
  __device__ __forceinline__ void fetch_part(Tiles& to, int part, Exists exists) {
    const int step = part % 2 * 8;
    const int i = part / 2;
    copy<1>(&to.a[step + a_step()][a_row() + i * kRowsAtOnce], a_[i] + step,
            exists(step + a_step()));
#pragma unroll
    for (int row = 2 * part; row < 2 * part + 2; ++row) {
      if (row % kStepsAtOnce != 0) continue;
      copy<kWidth>(&to.b[row + b_step()][b_column()], b_ + static_cast<size_t>(row) * b_pitch_,
                   exists(row + b_step()));
    }
  }

  __device__ __forceinline__ void advance(int steps) {
#pragma unroll
    for (int i = 0; i < kRowsOfA; ++i) a_[i] += steps;
    b_ += static_cast<size_t>(steps) * b_pitch_;
    steps_left_ -= steps;
  }

  int steps_left_;
  int b_pitch_;
  const float* a_[kRowsOfA];
  const float* b_;
};

// A thread's factors of one step.
struct Factors {
  float a[kDown];
  float b[kAcross];

  __device__ __forceinline__ void load(const Tiles& tiles, int step, int y, int x) {
#pragma unroll
    for (int j = 0; j < kAcross; j += 4) {
      put(&tiles.b[step][x + j * kLanesAcross], b + j);
    }
#pragma unroll
    for (int i = 0; i < kDown; i += 4) {
      put(&tiles.a[step][y + i * kLanesDown], a + i);
    }
  }

 private:
  static __device__ __forceinline__ void put(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  }
};

__device__ __forceinline__ void multiply_add(const Factors& factors,
                                             float (&sums)[kDown][kAcross]) {
#pragma unroll
  for (int j = 0; j < kAcross; ++j) {
#pragma unroll
    for (int step = 0; step < kDown; ++step) {
      const int i = j % 2 == 0 ? step : kDown - 1 - step;
      sums[i][j] += factors.a[i] * factors.b[j];
    }
  }
}

// B, its rows `pitch` floats apart and zeros between them. A block takes a row.
__global__ void move_rows_apart(const float* b, int columns, float* to, int pitch) {
  const float* const row = b + static_cast<size_t>(blockIdx.x) * columns;
  float* const row_to = to + static_cast<size_t>(blockIdx.x) * pitch;
  for (int i = threadIdx.x; i < pitch; i += blockDim.x) row_to[i] = i < columns ? row[i] : 0;
}

// kWidth, kWidthC: floats a copy of B, a store to C. kStages: phases in shared memory.
template <int kWidth, int kWidthC, int kStages>
__global__ void __launch_bounds__(kThreads, 1)
    multiply(const float* __restrict__ a, MatrixB b, float* __restrict__ c, int m, int k) {
  const int n = b.columns;
  const int phases = ceil_div(k, kDepth);
  extern __shared__ float4 shared[];
  Tiles* const tiles = reinterpret_cast<Tiles*>(shared);
  const int first_row = blockIdx.y * kRows;
  const int first_column = blockIdx.x * kColumns;

  // This thread's place. Lanes are ordered such that a 16-byte load of a warp takes two passes.
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int y = warp / kWarpsAcross * kDown * kLanesDown + 4 * (lane / 8 * 2 + lane % 2);
  const int x = warp % kWarpsAcross * kAcross * kLanesAcross + 4 * (lane / 2 % 4);

  Courier<kWidth> courier(a, b, m, k, first_row, first_column);
  courier.fetch_first(tiles[0]);
  end_of_group();
#pragma unroll
  for (int stage = 1; stage < kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < Courier<kWidth>::kParts; ++part) {
      courier.fetch_part(tiles[stage], part);
    }
    courier.advance();
  }

  float sums[kDown][kAcross] = {};
  Factors factors[2];  // of this step and of the next
  int current = 0;
  int free = kStages - 1;  // what was multiplied in the phase before
  wait_for_all_but<kStages - 2>();
  __syncthreads();
  factors[0].load(tiles[0], 0, y, x);
  for (int phase = 0; phase < phases; ++phase) {
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      if (step == kDepth - 1) {
        courier.advance();
        wait_for_all_but<kStages - 2>();
        __syncthreads();  // the next tiles are complete, and all threads have read these
        free = current;
        current = current + 1 == kStages ? 0 : current + 1;
      }
      factors[(step + 1) % 2].load(tiles[current], (step + 1) % kDepth, y, x);
      if (step < Courier<kWidth>::kParts) courier.fetch_part(tiles[free], step);
      multiply_add(factors[step % 2], sums);
    }
  }

#pragma unroll
  for (int i = 0; i < kDown; ++i) {
    const int row = first_row + y + i % 4 + i / 4 * 4 * kLanesDown;
    if (row >= m) continue;
#pragma unroll
    for (int j = 0; j < kAcross; j += 4) {
      const int column = first_column + x + j * kLanesAcross;
      float* const to = c + static_cast<size_t>(row) * n + column;
      if (kWidthC == 4) {
        if (column < n) {
          *reinterpret_cast<float4*>(to) =
              make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
        }
      } else {
#pragma unroll
        for (int one = 0; one < 4; ++one) {
          if (column + one < n) to[one] = sums[i][j + one];
        }
      }
    }
  }
}

template <int kWidth, int kWidthC, int kStages>
void launch(const float* a, const MatrixB& b, float* c, int m, int k) {
  constexpr int kBytes = kStages * sizeof(Tiles);
  const auto kernel = multiply<kWidth, kWidthC, kStages>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(ceil_div(b.columns, kColumns), ceil_div(m, kRows));
  kernel<<<grid, kThreads, kBytes>>>(a, b, c, m, k);
  CHECK(cudaGetLastError());
}

bool is_wide(const float* matrix, int pitch) {  // every row begins at a multiple of 16 bytes
  return reinterpret_cast<std::uintptr_t>(matrix) % sizeof(float4) == 0 && pitch % 4 == 0;
}

template <int kStages>
void launch(const float* a, const MatrixB& b, float* c, int m, int k) {
  if (!is_wide(b.data, b.pitch)) {
    launch<1, 1, kStages>(a, b, c, m, k);
  } else if (!is_wide(c, b.columns)) {
    launch<4, 1, kStages>(a, b, c, m, k);
  } else {
    launch<4, 4, kStages>(a, b, c, m, k);
  }
}

// Memory that is freed in stream order stays with this process, for the next call.
void keep_freed_memory() {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t{0};
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // there is no element of A or B that could be copied
    CHECK(cudaMemsetAsync(c, 0, sizeof(float) * m * n));
    return;
  }
  constexpr int kWorthAPass = 4 * kRows;  // rows of A
  MatrixB matrix_b = {b, n, n};
  float* apart = nullptr;
  if (!is_wide(b, n) && m >= kWorthAPass) {
    keep_freed_memory();
    matrix_b.pitch = ceil_div(n, 4) * 4;
    CHECK(cudaMallocAsync(&apart, sizeof(float) * matrix_b.pitch * k, 0));
    move_rows_apart<<<k, kThreads>>>(b, n, apart, matrix_b.pitch);
    CHECK(cudaGetLastError());
    matrix_b.data = apart;
  }
  int most_bytes = 0;  // of shared memory per block
  CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  if (most_bytes >= static_cast<int>(4 * sizeof(Tiles))) {
    launch<4>(a, matrix_b, c, m, k);
  } else {
    launch<2>(a, matrix_b, c, m, k);  // less than 99 KiB: compute capability 7.5
  }
  if (apart != nullptr) CHECK(cudaFreeAsync(apart, 0));
}
