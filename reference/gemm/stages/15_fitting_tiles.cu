// Rung 15: tiles of a shape that fits C, and A transposed beforehand.
//
// Rung 14 keeps a multiprocessor busy while it has a tile; this rung is about the rest.
//
// - All tiles take the same time, and a multiprocessor has one at once: together they take as long
//   as ceil(tiles / multiprocessors) of them, whether the last round is full or not, and whether a
//   tile lies within C or hangs over its edge. So the shape is chosen for this C and this card:
//   rounds * rows * columns is to be least. On 132 multiprocessors a C of 4001 x 3999 takes four
//   rounds of tiles of 256 x 128 (512 of them), and four of 192 x 160 (525), which are 6 % smaller.
// - The shapes are two arguments of one kernel. Nothing in it is written for one of them.
// - A first kernel transposes A, with rows at multiples of 16 bytes. Now both tiles are loaded by
//   16-byte copies, six per thread and phase instead of twelve, whatever the extents are. It
//   takes 1 % of the time, as much as it gains where A's rows began at such multiples anyway.
// - A warp's piece of C goes through shared memory, so that neighbours write a row of it, 4 bytes
//   each: rows of C may begin anywhere.
//
// The multiply-adds go along a row of the thread's piece and back along the next. What they need
// first, the factors of A, is loaded first. In the order of rung 14, or with the factors of B
// before those of A, ptxas makes a loop of the same instructions that is 4 to 9 % slower.
#include "gemm.h"

#include <cuda_runtime.h>

#include <cmath>
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

constexpr int kDepth = 16;  // steps per phase
constexpr int kThreads = 256;
// A warp's lanes: 8 down, 4 across. A block's warps: 2 down, 4 across.
constexpr int kLanesDown = 8;
constexpr int kLanesAcross = 4;
constexpr int kWarpsDown = 2;
constexpr int kWarpsAcross = 4;

// A thread's piece of C: rows in groups of four, columns in groups of four and a last one of two.
template <int kDown_, int kAcross_>
struct Shape {
  static constexpr int kDown = kDown_;
  static constexpr int kAcross = kAcross_;
  static constexpr int kWarpRows = kLanesDown * kDown;
  static constexpr int kWarpColumns = kLanesAcross * kAcross;
  static constexpr int kRows = kWarpsDown * kWarpRows;  // of C a block
  static constexpr int kColumns = kWarpsAcross * kWarpColumns;
  static_assert(kDown % 4 == 0 && kAcross % 2 == 0, "groups of four, and one of two");
};

template <class Shape>
struct Tiles {
  float a[kDepth][Shape::kRows];
  float b[kDepth][Shape::kColumns];
};

// A factor as it is copied: one row per step, and from one to the next `pitch` floats, a multiple
// of 4.
struct Factor {
  const float* data;
  int pitch;
};

// Copies 16 bytes to shared memory, or zeros unless `exists`; asynchronous.
__device__ __forceinline__ void copy(float* to, const float* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  const auto there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(there), "l"(from),
               "r"(exists ? 16 : 0));
#else
  *reinterpret_cast<float4*>(to) =
      exists ? *reinterpret_cast<const float4*>(from) : make_float4(0, 0, 0, 0);
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

// What a thread copies of one factor in each phase: of kWidth floats per step, every 256th four.
template <int kWidth>
class Courier {
 public:
  static constexpr int kFours = kDepth * kWidth / 4;
  static constexpr int kCopies = (kFours + kThreads - 1) / kThreads;

  // Columns beyond the last copy the last again: what they add up is stored nowhere.
  __device__ Courier(const Factor& factor, int first_column) : pitch_(factor.pitch) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const int column = four(i) % (kWidth / 4) * 4;
      from_[i] = factor.data + static_cast<size_t>(step(i)) * pitch_ +
                 min(first_column + column, pitch_ - 4);
    }
  }

  // The thread's i-th copy. A step that does not exist is zeros.
  template <class Exists>
  __device__ __forceinline__ void fetch(float* to, int i, Exists exists) {
    if (kFours % kThreads != 0 && four(i) >= kFours) return;
    copy(to + four(i) * 4, from_[i], exists(step(i)));
  }
  __device__ __forceinline__ void advance(int steps) {
    const size_t floats = static_cast<size_t>(steps) * pitch_;
#pragma unroll
    for (int i = 0; i < kCopies; ++i) from_[i] += floats;
  }

 private:
  static __device__ int four(int i) {
    return threadIdx.x + i * kThreads;
  }
  static __device__ int step(int i) {
    return four(i) / (kWidth / 4);
  }

  int pitch_;
  const float* from_[kCopies];
};

// Both factors. The first phase is the one that may have less than kDepth steps.
template <class Shape>
class Couriers {
 public:
  static constexpr int kParts = kDepth - 1;  // that a phase's copies come in

  __device__ Couriers(const Factor& a, const Factor& b, int first_row, int first_column, int k)
      : a_(a, first_row), b_(b, first_column), steps_left_(k) {}

  // Copies the first phase.
  __device__ void fetch_first(Tiles<Shape>& to) {
    const int steps = steps_left_ % kDepth == 0 ? kDepth : steps_left_ % kDepth;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      fetch_part(to, part, [=](int step) { return step < steps; });
    }
    advance(steps);
  }
  // Starts to copy a part of the next phase, if there is one. All parts, then advance().
  __device__ __forceinline__ void fetch_part(Tiles<Shape>& to, int part) {
    fetch_part(to, part, [this](int) { return steps_left_ > 0; });
  }
  __device__ __forceinline__ void advance() {
    if (steps_left_ > 0) advance(kDepth);
    end_of_group();
  }

 private:
  static constexpr int kCopiesOfA = Courier<Shape::kRows>::kCopies;
  static constexpr int kCopies = kCopiesOfA + Courier<Shape::kColumns>::kCopies;

  template <class Exists>
  __device__ __forceinline__ void fetch_part(Tiles<Shape>& to, int part, Exists exists) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      if (i * kParts / kCopies != part) continue;
      if (i < kCopiesOfA) {
        a_.fetch(to.a[0], i, exists);
      } else {
        b_.fetch(to.b[0], i - kCopiesOfA, exists);
      }
    }
  }
  __device__ __forceinline__ void advance(int steps) {
    a_.advance(steps);
    b_.advance(steps);
    steps_left_ -= steps;
  }

  Courier<Shape::kRows> a_;
  Courier<Shape::kColumns> b_;
  int steps_left_;
};

// Where in a block's tile a thread's piece is: the corner of its warp, and its lane's place there.
template <class Shape>
struct Place {
  int row;
  int column;
  int down;
  int across;

  // Lanes are ordered such that a 16-byte load of a warp takes two passes.
  __device__ Place() {
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    row = warp / kWarpsAcross * Shape::kWarpRows;
    column = warp % kWarpsAcross * Shape::kWarpColumns;
    down = lane / 8 * 2 + lane % 2;
    across = lane / 2 % 4;
  }
  // In the warp's part: the first row of the group that begins with the thread's i-th, and the
  // first column of that with its j-th.
  __device__ __forceinline__ int group_row(int i) const { return i * kLanesDown + 4 * down; }
  __device__ __forceinline__ int group_column(int j) const {
    return j * kLanesAcross + (Shape::kAcross - j >= 4 ? 4 : 2) * across;
  }
};

// Neighbours in shared memory, in one access: four, or two where only two are `left`.
__device__ __forceinline__ void load_group(const float* from, float* to, int left) {
  if (left >= 4) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x;
    to[1] = four.y;
    to[2] = four.z;
    to[3] = four.w;
  } else {
    const float2 two = *reinterpret_cast<const float2*>(from);
    to[0] = two.x;
    to[1] = two.y;
  }
}
__device__ __forceinline__ void store_group(float* to, const float* from, int left) {
  if (left >= 4) {
    *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
  } else {
    *reinterpret_cast<float2*>(to) = make_float2(from[0], from[1]);
  }
}

// A thread's factors of one step.
template <class Shape>
struct Factors {
  float a[Shape::kDown];
  float b[Shape::kAcross];

  __device__ __forceinline__ void load(const Tiles<Shape>& tiles, int step,
                                       const Place<Shape>& place) {
#pragma unroll
    for (int i = 0; i < Shape::kDown; i += 4) {
      load_group(&tiles.a[step][place.row + place.group_row(i)], a + i, 4);
    }
#pragma unroll
    for (int j = 0; j < Shape::kAcross; j += 4) {
      load_group(&tiles.b[step][place.column + place.group_column(j)], b + j, Shape::kAcross - j);
    }
  }
};

template <class Shape>
__device__ __forceinline__ void multiply_add(const Factors<Shape>& factors,
                                             float (&sums)[Shape::kDown][Shape::kAcross]) {
#pragma unroll
  for (int i = 0; i < Shape::kDown; ++i) {
#pragma unroll
    for (int step = 0; step < Shape::kAcross; ++step) {
      const int j = i % 2 == 0 ? step : Shape::kAcross - 1 - step;
      sums[i][j] += factors.a[i] * factors.b[j];
    }
  }
}

constexpr int kRowsAtOnce = 4 * kLanesDown;  // of C a warp: a group of each thread

// Writes a warp's part of C, which begins at `row` and `column`, through its part of `shared`.
template <class Shape>
__device__ void store(const float (&sums)[Shape::kDown][Shape::kAcross], const Place<Shape>& place,
                      float* shared, float* c, int m, int n, int row, int column) {
  float* const part = shared + threadIdx.x / 32 * kRowsAtOnce * Shape::kWarpColumns;
#pragma unroll
  for (int i = 0; i < Shape::kDown; i += 4) {
#pragma unroll
    for (int one = 0; one < 4; ++one) {
      float* const to = part + (4 * place.down + one) * Shape::kWarpColumns;
#pragma unroll
      for (int j = 0; j < Shape::kAcross; j += 4) {
        store_group(to + place.group_column(j), &sums[i + one][j], Shape::kAcross - j);
      }
    }
    __syncwarp();
    const int first = row + i * kLanesDown;
    const int rows = min(kRowsAtOnce, m - first);
#pragma unroll 4
    for (int y = 0; y < rows; ++y) {
#pragma unroll
      for (int x = threadIdx.x % 32; x < Shape::kWarpColumns; x += 32) {
        if (column + x >= n) continue;
        c[static_cast<size_t>(first + y) * n + column + x] = part[y * Shape::kWarpColumns + x];
      }
    }
    __syncwarp();
  }
}

template <class Shape, int kStages>
__global__ void __launch_bounds__(kThreads, 1)
    multiply(Factor a, Factor b, float* __restrict__ c, int m, int n, int k) {
  const int phases = ceil_div(k, kDepth);
  extern __shared__ float4 shared[];
  auto* const tiles = reinterpret_cast<Tiles<Shape>*>(shared);
  const int first_row = blockIdx.y * Shape::kRows;
  const int first_column = blockIdx.x * Shape::kColumns;
  const Place<Shape> place;

  Couriers<Shape> couriers(a, b, first_row, first_column, k);
  couriers.fetch_first(tiles[0]);
  end_of_group();
#pragma unroll
  for (int stage = 1; stage < kStages - 1; ++stage) {
#pragma unroll
    for (int part = 0; part < couriers.kParts; ++part) couriers.fetch_part(tiles[stage], part);
    couriers.advance();
  }

  float sums[Shape::kDown][Shape::kAcross] = {};
  Factors<Shape> factors[2];  // of this step and of the next
  int current = 0;
  int free = kStages - 1;  // what was multiplied in the phase before
  wait_for_all_but<kStages - 2>();
  __syncthreads();
  factors[0].load(tiles[0], 0, place);
  for (int phase = 0; phase < phases; ++phase) {
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      if (step == kDepth - 1) {
        couriers.advance();
        wait_for_all_but<kStages - 2>();
        __syncthreads();  // the next tiles are complete, and all threads have read these
        free = current;
        current = current + 1 == kStages ? 0 : current + 1;
      }
      factors[(step + 1) % 2].load(tiles[current], (step + 1) % kDepth, place);
      if (step < couriers.kParts) couriers.fetch_part(tiles[free], step);
      multiply_add(factors[step % 2], sums);
    }
  }
  __syncthreads();
  store(sums, place, reinterpret_cast<float*>(shared), c, m, n, first_row + place.row,
        first_column + place.column);
}

// a: m x k. to: k rows of m floats, `pitch` apart, with zeros between them.
constexpr int kTransposed = 64;  // rows and columns per block
__global__ void __launch_bounds__(kThreads)
    transpose(const float* a, int m, int k, float* to, int pitch) {
  constexpr int kAtOnce = kThreads / kTransposed;  // rows
  __shared__ float tile[kTransposed][kTransposed + 1];
  const int across = ceil_div(k, kTransposed);
  const int first_row = blockIdx.x / across * kTransposed;
  const int first_step = blockIdx.x % across * kTransposed;
  const int x = threadIdx.x % kTransposed;
  const int y = threadIdx.x / kTransposed;
#pragma unroll
  for (int i = 0; i < kTransposed; i += kAtOnce) {
    const int row = first_row + y + i;
    const int step = first_step + x;
    tile[y + i][x] = row < m && step < k ? a[static_cast<size_t>(row) * k + step] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kTransposed; i += kAtOnce) {
    const int row = first_row + x;
    const int step = first_step + y + i;
    if (step < k && row < pitch) to[static_cast<size_t>(step) * pitch + row] = tile[x][y + i];
  }
}

// B, its rows `pitch` floats apart and zeros between them. A block takes a row.
__global__ void __launch_bounds__(kThreads)
    move_apart(const float* __restrict__ b, int columns, float* __restrict__ to, int pitch) {
  const float* const row = b + static_cast<size_t>(blockIdx.x) * columns;
  float* const row_to = to + static_cast<size_t>(blockIdx.x) * pitch;
#pragma unroll 8
  for (int i = threadIdx.x; i < pitch; i += kThreads) row_to[i] = i < columns ? row[i] : 0;
}

// Memory for a factor, for the time of a call. What is freed in stream order stays with this
// process.
float* allocate(int rows, int pitch) {
  int device = 0;
  cudaMemPool_t pool = nullptr;
  std::uint64_t all = ~std::uint64_t{0};
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  void* memory = nullptr;
  CHECK(cudaMallocAsync(&memory, sizeof(float) * rows * pitch, 0));
  return static_cast<float*>(memory);
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

template <class Shape, int kStages>
void launch(const Factor& a, const Factor& b, float* c, int m, int n, int k) {
  constexpr int kBytes = kStages * sizeof(Tiles<Shape>);
  static_assert(kBytes >= kThreads / 32 * kRowsAtOnce * Shape::kWarpColumns * sizeof(float),
                "the parts of C that the warps write at once");
  const auto kernel = multiply<Shape, kStages>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(ceil_div(n, Shape::kColumns), ceil_div(m, Shape::kRows));
  kernel<<<grid, kThreads, kBytes>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}

template <class Shape>
void launch(const Factor& a, const Factor& b, float* c, int m, int n, int k) {
  constexpr int kStages = 3;
  const int most_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (most_bytes >= static_cast<int>(kStages * sizeof(Tiles<Shape>))) {
    launch<Shape, kStages>(a, b, c, m, n, k);
  } else {
    launch<Shape, 2>(a, b, c, m, n, k);  // 64 KiB: compute capability 7.5
  }
}

// Elements in C or beyond its edge that the longest row of tiles of one multiprocessor has.
template <class Shape>
double work(int m, int n, int multiprocessors) {
  const double tiles =
      static_cast<double>(ceil_div(m, Shape::kRows)) * ceil_div(n, Shape::kColumns);
  return std::ceil(tiles / multiprocessors) * Shape::kRows * Shape::kColumns;
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // there is no element of A or B that could be copied
    CHECK(cudaMemsetAsync(c, 0, sizeof(float) * m * n));
    return;
  }
  const int pitch_a = ceil_div(m, 4) * 4;
  float* const transposed = allocate(k, pitch_a);
  transpose<<<ceil_div(k, kTransposed) * ceil_div(m, kTransposed), kThreads>>>(a, m, k, transposed,
                                                                               pitch_a);
  CHECK(cudaGetLastError());

  Factor factor_b = {b, n};
  float* apart = nullptr;
  if (n % 4 != 0 || reinterpret_cast<std::uintptr_t>(b) % sizeof(float4) != 0) {
    factor_b.pitch = ceil_div(n, 4) * 4;
    apart = allocate(k, factor_b.pitch);
    move_apart<<<k, kThreads>>>(b, n, apart, factor_b.pitch);
    CHECK(cudaGetLastError());
    factor_b.data = apart;
  }

  using Tall = Shape<16, 8>;  // 256 x 128
  using Square = Shape<12, 10>;  // 192 x 160
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  if (work<Square>(m, n, multiprocessors) < work<Tall>(m, n, multiprocessors)) {
    launch<Square>({transposed, pitch_a}, factor_b, c, m, n, k);
  } else {
    launch<Tall>({transposed, pitch_a}, factor_b, c, m, n, k);
  }
  CHECK(cudaFreeAsync(transposed, 0));
  if (apart != nullptr) CHECK(cudaFreeAsync(apart, 0));
}
