// The reference solution: tiles in shared memory, sums in registers, and the epilogue there, too.
//
// A and B are both stored along l, so both tiles are loaded with neighboring threads along l, and
// transposed while they are stored into shared memory: a row of a tile has all rows of A (columns
// of B) of one l.
//
// - Large products have tiles of 128 x 256 elements of `out`, 8 x 16 per thread: 128 multiply-adds
//   for six 16-byte loads from shared memory. Four phases' tiles are in shared memory at once: one
//   is multiplied while the hardware copies the others (cp.async, from compute capability 8.0 on).
//   The lab gemm takes these steps one by one (its stages/09 to 14).
// - Where so large tiles leave most multiprocessors without one: 32 x 32, four per thread
//   (stages/05).
#include "gemm_fused.h"

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

namespace {

constexpr int kDepth = 16;  // of a phase, for both sizes of tiles

// Tiles of 32 x 32.

constexpr int kTile = 32;  // elements of `out` per block, along each axis
constexpr int kSide = 16;  // threads along each axis
constexpr int kEach = kTile / kSide;  // elements per thread, along each axis

// Thread (tx, ty) has the rows ty, ty + 16, ... and the columns tx, tx + 16, ... of the block's
// elements: neighboring threads store neighboring elements, and read neighboring words. A word of
// padding per row of a tile lets a column of it be stored to different banks.
__global__ void __launch_bounds__(kSide* kSide)
    layer(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  __shared__ float a_tile[kDepth][kTile + 1];
  __shared__ float b_tile[kDepth][kTile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;
  float sum[kEach][kEach] = {};
  for (int first = 0; first < k; first += kDepth) {
    const int l = first + tx;
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
      const int row = top + ty + r * kSide;
      const int col = left + ty + r * kSide;
      a_tile[tx][ty + r * kSide] = row < m && l < k ? a[row * k + l] : 0;
      b_tile[tx][ty + r * kSide] = col < n && l < k ? b[col * k + l] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kDepth; ++i) {
      float left_factor[kEach];
#pragma unroll
      for (int r = 0; r < kEach; ++r) left_factor[r] = a_tile[i][ty + r * kSide];
#pragma unroll
      for (int s = 0; s < kEach; ++s) {
        const float right_factor = b_tile[i][tx + s * kSide];
#pragma unroll
        for (int r = 0; r < kEach; ++r) sum[r][s] += left_factor[r] * right_factor;
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < kEach; ++r) {
#pragma unroll
    for (int s = 0; s < kEach; ++s) {
      const int row = top + ty + r * kSide;
      const int col = left + tx + s * kSide;
      if (row < m && col < n) out[row * n + col] = fmaxf(sum[r][s] + c[row * n + col], 0.0f);
    }
  }
}

// Tiles of 128 x 256.

constexpr int kThreads = 256;
constexpr int kDown = 8;  // elements per thread: rows and columns, both in groups of four
constexpr int kAcross = 16;
// A warp's lanes: 8 down, 4 across. A block's warps: 2 down, 4 across.
constexpr int kLanesDown = 8;
constexpr int kLanesAcross = 4;
constexpr int kWarpRows = kLanesDown * kDown;
constexpr int kWarpColumns = kLanesAcross * kAcross;
constexpr int kRows = 2 * kWarpRows;  // of `out` per block
constexpr int kColumns = 4 * kWarpColumns;

// The tiles of one phase. With rows of 4 words more, what a warp copies goes to 32 banks.
struct Tiles {
  float a[kDepth][kRows + 4];
  float b[kDepth][kColumns + 4];
};

// Copies one float to shared memory, or 0 unless it `exists`. No thread waits for it.
__device__ __forceinline__ void copy(float* to, const float* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(exists ? 4 : 0));
#else
  *to = exists ? *from : 0;
#endif
}

// The copies of one phase are a group. At most kGroups groups are left after the wait.
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

// What a thread copies of one factor in each phase. Its lines are rows of A or columns of B; a warp
// takes 8 floats, 32 bytes, of 4 lines at a time: whole sectors.
template <int kLines>
class Courier {
 public:
  static constexpr int kLinesAtOnce = kThreads / 8;
  static constexpr int kHalves = kDepth / 8;  // of a line's part in a phase
  static constexpr int kCopies = kLines / kLinesAtOnce * kHalves;

  // Threads past the last line copy the last one again; the sums they lead to are not stored.
  __device__ Courier(const float* factor, int lines, int first_line, int k)
      : from_(factor + static_cast<std::size_t>(first_line) * k) {
#pragma unroll
    for (int i = 0; i < kLines / kLinesAtOnce; ++i) {
      const int line = static_cast<int>(threadIdx.x) / 8 + i * kLinesAtOnce;
      offsets_[i] = min(line, lines - 1 - first_line) * k + threadIdx.x % 8;
    }
  }
  // The thread's i-th copy, 0 where l is not below `steps`.
  __device__ __forceinline__ void fetch(float (&to)[kDepth][kLines + 4], int i, int steps) {
    const int l = threadIdx.x % 8 + i % kHalves * 8;
    copy(&to[l][threadIdx.x / 8 + i / kHalves * kLinesAtOnce],
         from_ + offsets_[i / kHalves] + i % kHalves * 8, l < steps);
  }
  __device__ __forceinline__ void advance(int steps) {
    from_ += steps;
  }

 private:
  const float* from_;  // the same for all threads: it takes no registers of theirs
  int offsets_[kLines / kLinesAtOnce];
};

// Copies both factors' tiles. The first phase is the one that may have less than kDepth steps, so
// that the others need no condition.
class Couriers {
 public:
  static constexpr int kParts = kDepth - 1;  // that a phase's copies come in

  __device__ Couriers(const float* a, const float* b, int m, int n, int k, int top, int left)
      : a_(a, m, top, k), b_(b, n, left, k), steps_left_(k) {}

  __device__ __forceinline__ void fetch_part(Tiles& to, int part) {
    fetch_part(to, part, steps_left_ > 0 ? kDepth : 0);
  }
  __device__ __forceinline__ void advance() {
    if (steps_left_ > 0) advance(kDepth);
    end_of_group();
  }
  __device__ __forceinline__ void fetch_first(Tiles& to) {
    const int steps = (steps_left_ - 1) % kDepth + 1;
#pragma unroll
    for (int part = 0; part < kParts; ++part) fetch_part(to, part, steps);
    advance(steps);
    end_of_group();
  }

 private:
  static constexpr int kCopiesOfA = Courier<kRows>::kCopies;
  static constexpr int kCopies = kCopiesOfA + Courier<kColumns>::kCopies;

  __device__ __forceinline__ void fetch_part(Tiles& to, int part, int steps) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      if (i * kParts / kCopies != part) continue;
      if (i < kCopiesOfA) {
        a_.fetch(to.a, i, steps);
      } else {
        b_.fetch(to.b, i - kCopiesOfA, steps);
      }
    }
  }
  __device__ __forceinline__ void advance(int steps) {
    a_.advance(steps);
    b_.advance(steps);
    steps_left_ -= steps;
  }

  Courier<kRows> a_;
  Courier<kColumns> b_;
  int steps_left_;
};

// The first row and column of a thread's elements in its block's tile. Lanes are ordered such that
// a 16-byte load of a warp takes two passes. Its i-th group of four rows is 4 * kLanesDown rows
// below the one before, and columns likewise.
__device__ __forceinline__ int first_row() {
  const int lane = threadIdx.x % 32;
  return static_cast<int>(threadIdx.x) / 128 * kWarpRows + 4 * (lane / 8 * 2 + lane % 2);
}
__device__ __forceinline__ int first_column() {
  const int lane = threadIdx.x % 32;
  return static_cast<int>(threadIdx.x) / 32 % 4 * kWarpColumns + 4 * (lane / 2 % 4);
}
__device__ __forceinline__ int row_of(int i) {
  return i / 4 * 4 * kLanesDown + i % 4;
}
__device__ __forceinline__ int column_of(int j) {
  return j / 4 * 4 * kLanesAcross + j % 4;
}

__device__ __forceinline__ void load_four(const float* from, float* to) {
  const float4 four = *reinterpret_cast<const float4*>(from);
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}

// A thread's factors of one l.
struct Factors {
  float a[kDown];
  float b[kAcross];

  __device__ __forceinline__ void load(const Tiles& tiles, int l, int row, int column) {
#pragma unroll
    for (int j = 0; j < kAcross; j += 4) load_four(&tiles.b[l][column + column_of(j)], b + j);
#pragma unroll
    for (int i = 0; i < kDown; i += 4) load_four(&tiles.a[l][row + row_of(i)], a + i);
  }
  // Each multiply-add has a factor in common with the one before it, which is read from the
  // register file once.
  __device__ __forceinline__ void multiply_add(float (&sums)[kDown][kAcross]) const {
#pragma unroll
    for (int j = 0; j < kAcross; ++j) {
#pragma unroll
      for (int step = 0; step < kDown; ++step) {
        const int i = j % 2 == 0 ? step : kDown - 1 - step;
        sums[i][j] += a[i] * b[j];
      }
    }
  }
};

// @param kStages  phases whose tiles are in shared memory
// @param kWide  all rows of C and `out` begin at multiples of 16 bytes
template <int kStages, bool kWide>
__global__ void __launch_bounds__(kThreads, 1)
    large_layer(const float* __restrict__ a, const float* __restrict__ b,
                const float* __restrict__ c, float* __restrict__ out, int m, int n, int k) {
  extern __shared__ float4 shared[];
  auto* const tiles = reinterpret_cast<Tiles*>(shared);
  const int top = blockIdx.y * kRows;
  const int left = blockIdx.x * kColumns;
  const int row = first_row();
  const int column = first_column();

  Couriers couriers(a, b, m, n, k, top, left);
  couriers.fetch_first(tiles[0]);
#pragma unroll
  for (int stage = 1; stage < kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < couriers.kParts; ++part) couriers.fetch_part(tiles[stage], part);
    couriers.advance();
  }

  float sums[kDown][kAcross] = {};
  Factors factors[2];  // of this step and of the next
  int current = 0;
  int free = kStages - 1;  // what was multiplied in the phase before
  wait_for_all_but<kStages - 2>();
  __syncthreads();
  factors[0].load(tiles[0], 0, row, column);
  const int phases = (k - 1) / kDepth + 1;
  for (int phase = 0; phase < phases; ++phase) {
#pragma unroll
    for (int l = 0; l < kDepth; ++l) {
      if (l == kDepth - 1) {
        couriers.advance();
        wait_for_all_but<kStages - 2>();
        __syncthreads();  // the next tiles are complete, and all threads have read these
        free = current;
        current = current + 1 == kStages ? 0 : current + 1;
      }
      factors[(l + 1) % 2].load(tiles[current], (l + 1) % kDepth, row, column);
      if (l < couriers.kParts) couriers.fetch_part(tiles[free], l);
      factors[l % 2].multiply_add(sums);
    }
  }

  // The epilogue. To begin with C instead of 0 costs a tenth more time: ptxas then does not get by
  // with the registers.
#pragma unroll
  for (int i = 0; i < kDown; ++i) {
    const int y = top + row + row_of(i);
    if (y >= m) continue;
#pragma unroll
    for (int j = 0; j < kAcross; j += 4) {
      const int x = left + column + column_of(j);
      const std::size_t at = static_cast<std::size_t>(y) * n + x;
      if (kWide) {
        if (x >= n) continue;
        const float4 four = *reinterpret_cast<const float4*>(c + at);
        *reinterpret_cast<float4*>(out + at) =
            make_float4(fmaxf(sums[i][j] + four.x, 0), fmaxf(sums[i][j + 1] + four.y, 0),
                        fmaxf(sums[i][j + 2] + four.z, 0), fmaxf(sums[i][j + 3] + four.w, 0));
      } else {
#pragma unroll
        for (int one = 0; one < 4; ++one) {
          if (x + one < n) out[at + one] = fmaxf(sums[i][j + one] + c[at + one], 0);
        }
      }
    }
  }
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

template <int kStages>
void launch_large(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  constexpr int kBytes = kStages * sizeof(Tiles);
  const auto is_wide = [n](const float* data) {
    return n % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  const auto kernel =
      is_wide(c) && is_wide(out) ? large_layer<kStages, true> : large_layer<kStages, false>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(ceil_div(n, kColumns), ceil_div(m, kRows));
  kernel<<<grid, kThreads, kBytes>>>(a, b, c, out, m, n, k);
}

}  // namespace

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  // A multiprocessor multiplies a large tile four times as fast as the same elements in small ones.
  const std::int64_t large_tiles =
      static_cast<std::int64_t>(ceil_div(m, kRows)) * ceil_div(n, kColumns);
  if (k > 0 && large_tiles * 4 > attribute(cudaDevAttrMultiProcessorCount)) {
    if (attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >= static_cast<int>(4 * sizeof(Tiles))) {
      launch_large<4>(a, b, c, out, m, n, k);
    } else {
      launch_large<2>(a, b, c, out, m, n, k);  // 64 KiB: compute capability 7.5
    }
  } else {
    const dim3 grid(ceil_div(n, kTile), ceil_div(m, kTile));
    layer<<<grid, dim3(kSide, kSide)>>>(a, b, c, out, m, n, k);
  }
  CHECK(cudaGetLastError());
}
