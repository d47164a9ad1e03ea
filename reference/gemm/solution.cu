// The reference. A block computes a tile of C from tiles of A and B in shared memory, a thread a
// small piece of it in registers. Three phases' tiles are in shared memory at once: one is
// multiplied while the hardware copies the others (cp.async, from compute capability 8.0 on), and
// there is one barrier per phase. The ladder takes these steps one by one (stages/09 to 15). All
// shapes of tiles are arguments of one kernel:
//
// - Where C has enough of them for all multiprocessors, 128 x 256 or 192 x 160: a thread has 128 or
//   120 elements for 6 loads from shared memory. All tiles take the same time, so the shape is the
//   one whose rounds over this card's multiprocessors cover the fewest elements.
// - Else 64 x 64. Where even these tiles are too few and k is long, several blocks share the sum
//   (stages/12).
//
// A tile of A is transposed as it is copied, 4 bytes at a time; for tiles of 192 x 160 a pass
// before has done that, so that both tiles come by 16-byte copies.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>
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
// kStages: phases whose tiles are in shared memory. kBlocks: that a multiprocessor holds at once.
template <int kDown_, int kAcross_, int kStages_, int kBlocks_>
struct Shape {
  static constexpr int kDown = kDown_;
  static constexpr int kAcross = kAcross_;
  static constexpr int kStages = kStages_;
  static constexpr int kBlocks = kBlocks_;
  static constexpr int kWarpRows = kLanesDown * kDown;
  static constexpr int kWarpColumns = kLanesAcross * kAcross;
  static constexpr int kRows = kWarpsDown * kWarpRows;  // of C per block
  static constexpr int kColumns = kWarpsAcross * kWarpColumns;
  static_assert(kDown % 4 == 0 && kAcross % 2 == 0, "groups of four, and one of two");
};
using Large = Shape<8, 16, 4, 1>;  // 128 x 256
using Square = Shape<12, 10, 3, 1>;  // 192 x 160
using Small = Shape<4, 4, 3, 3>;  // 64 x 64

// Copies kFloats neighbors to shared memory, or zeros unless `exists`. No thread waits for it.
template <int kFloats>
__device__ __forceinline__ void copy(float* to, const float* from, bool exists) {
#if __CUDA_ARCH__ >= 800
  const auto there = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if (kFloats == 4) {  // past the first-level cache
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(there), "l"(from),
                 "r"(exists ? 16 : 0));
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(there), "l"(from),
                 "r"(exists ? 4 : 0));
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

// A factor of the product: a row of A, or a step of B, begins `pitch` floats after the one before.
struct Factor {
  const float* data;
  int lines;  // rows of A or columns of B, between which the tiles lie
  int pitch;
};

// What a thread copies of a factor in each phase, where its steps are rows: of kLines floats per
// step, every 256th group of kWidth.
template <int kLines, int kWidth>
class CopyRows {
 public:
  static constexpr int kGroups = kDepth * kLines / kWidth;
  static constexpr int kCopies = (kGroups + kThreads - 1) / kThreads;
  static constexpr int kPitch = kLines;  // of the tile: groups follow each other

  // Lines after the last copy the last again: what they add up is stored nowhere.
  __device__ CopyRows(const Factor& factor, int first_line, int first_step) : pitch_(factor.pitch) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const int line = first_line + group(i) % (kLines / kWidth) * kWidth;
      const int last = (kWidth == 4 ? factor.pitch : factor.lines) - kWidth;
      from_[i] = factor.data + static_cast<size_t>(first_step) * pitch_ +
                 static_cast<size_t>(step(i)) * pitch_ + min(line, last);
    }
  }
  // The thread's i-th copy to a tile. A step that does not exist is zeros.
  template <class Exists>
  __device__ __forceinline__ void fetch(float (&to)[kDepth][kPitch], int i, Exists exists) {
    if (kGroups % kThreads != 0 && group(i) >= kGroups) return;
    copy<kWidth>(to[0] + group(i) * kWidth, from_[i], exists(step(i)));
  }
  __device__ __forceinline__ void advance(int steps) {
    const size_t floats = static_cast<size_t>(steps) * pitch_;
#pragma unroll
    for (int i = 0; i < kCopies; ++i) from_[i] += floats;
  }

 private:
  static __device__ int group(int i) {
    return threadIdx.x + i * kThreads;
  }
  static __device__ int step(int i) {
    return group(i) / (kLines / kWidth);
  }

  int pitch_;
  const float* from_[kCopies];
};

// The same where its steps are columns. A warp takes 8 steps, 32 bytes, of 4 lines: whole sectors.
template <int kLines>
class CopyTransposed {
 public:
  static constexpr int kLinesAtOnce = kThreads / 8;
  static constexpr int kCopies = kLines / kLinesAtOnce * (kDepth / 8);
  static constexpr int kPitch = kLines + 4;  // of the tile: a warp's copies go to 32 banks

  __device__ CopyTransposed(const Factor& factor, int first_line, int first_step) {
#pragma unroll
    for (int i = 0; i < kCopies; i += kDepth / 8) {
      const int line = min(first_line + CopyTransposed::line(i), factor.lines - 1);
      from_[i / (kDepth / 8)] =
          factor.data + static_cast<size_t>(line) * factor.pitch + first_step + step(0);
    }
  }
  template <class Exists>
  __device__ __forceinline__ void fetch(float (&to)[kDepth][kPitch], int i, Exists exists) {
    copy<1>(&to[step(i)][line(i)], from_[i / (kDepth / 8)] + step(i) - step(0), exists(step(i)));
  }
  __device__ __forceinline__ void advance(int steps) {
#pragma unroll
    for (const float*& from : from_) from += steps;
  }

 private:
  static __device__ int line(int i) {
    return threadIdx.x / 8 + i / (kDepth / 8) * kLinesAtOnce;
  }
  static __device__ int step(int i) {
    return threadIdx.x % 8 + i % (kDepth / 8) * 8;
  }

  const float* from_[kLines / kLinesAtOnce];
};

// A shape, and how the tiles of both factors are copied.
template <class Shape_, class CopyA_, class CopyB_>
struct Plan {
  using Shape = Shape_;
  using CopyA = CopyA_;
  using CopyB = CopyB_;
};
template <class Shape>
using TransposedBefore = Plan<Shape, CopyRows<Shape::kRows, 4>, CopyRows<Shape::kColumns, 4>>;
template <class Shape, int kWidth>
using Transposing = Plan<Shape, CopyTransposed<Shape::kRows>, CopyRows<Shape::kColumns, kWidth>>;

// The tiles of one phase, A's transposed.
template <class Plan>
struct Tiles {
  float a[kDepth][Plan::CopyA::kPitch];
  float b[kDepth][Plan::CopyB::kPitch];
};

// Copies both factors' tiles of `steps` steps from first_step on. The first phase is the one that
// may have less than kDepth of them.
template <class Plan>
class Couriers {
 public:
  using Shape = typename Plan::Shape;
  static constexpr int kParts = kDepth - 1;  // that a phase's copies come in

  __device__ Couriers(const Factor& a, const Factor& b, int first_row, int first_column,
                      int first_step, int steps)
      : a_(a, first_row, first_step), b_(b, first_column, first_step), steps_left_(steps) {}

  // Copies the first phase.
  __device__ void fetch_first(Tiles<Plan>& to) {
    const int steps = steps_left_ % kDepth == 0 ? kDepth : steps_left_ % kDepth;
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      fetch_part(to, part, [=](int step) { return step < steps; });
    }
    advance(steps);
  }
  // Starts to copy a part of the next phase, if there is one. All parts, then advance().
  __device__ __forceinline__ void fetch_part(Tiles<Plan>& to, int part) {
    fetch_part(to, part, [this](int) { return steps_left_ > 0; });
  }
  __device__ __forceinline__ void advance() {
    if (steps_left_ > 0) advance(kDepth);
    end_of_group();
  }

 private:
  static constexpr int kCopiesOfA = Plan::CopyA::kCopies;
  static constexpr int kCopies = kCopiesOfA + Plan::CopyB::kCopies;

  template <class Exists>
  __device__ __forceinline__ void fetch_part(Tiles<Plan>& to, int part, Exists exists) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      if (i * kParts / kCopies != part) continue;
      if (i < kCopiesOfA) {
        a_.fetch(to.a, i, exists);
      } else {
        b_.fetch(to.b, i - kCopiesOfA, exists);
      }
    }
  }
  __device__ __forceinline__ void advance(int steps) {
    a_.advance(steps);
    b_.advance(steps);
    steps_left_ -= steps;
  }

  typename Plan::CopyA a_;
  typename Plan::CopyB b_;
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

// A thread's factors of one step. The longer side of its piece of C is loaded first, and is the
// outer loop below, in which each multiply-add has a factor in common with the one before it, that
// is read from the register file once. In another order ptxas makes a loop of the same instructions
// that is 4 to 9 % slower.
template <class Shape>
struct Factors {
  static constexpr bool kTall = Shape::kDown > Shape::kAcross;
  float a[Shape::kDown];
  float b[Shape::kAcross];

  template <class Plan>
  __device__ __forceinline__ void load(const Tiles<Plan>& tiles, int step,
                                       const Place<Shape>& place) {
    if (kTall) load_a(tiles.a[step], place);
#pragma unroll
    for (int j = 0; j < Shape::kAcross; j += 4) {
      load_group(&tiles.b[step][place.column + place.group_column(j)], b + j, Shape::kAcross - j);
    }
    if (!kTall) load_a(tiles.a[step], place);
  }

  __device__ __forceinline__ void multiply_add(float (&sums)[Shape::kDown][Shape::kAcross]) const {
    constexpr int kOuter = kTall ? Shape::kDown : Shape::kAcross;
    constexpr int kInner = kTall ? Shape::kAcross : Shape::kDown;
#pragma unroll
    for (int outer = 0; outer < kOuter; ++outer) {
#pragma unroll
      for (int step = 0; step < kInner; ++step) {
        const int inner = outer % 2 == 0 ? step : kInner - 1 - step;
        const int i = kTall ? outer : inner;
        const int j = kTall ? inner : outer;
        sums[i][j] += a[i] * b[j];
      }
    }
  }

 private:
  __device__ __forceinline__ void load_a(const float* tile, const Place<Shape>& place) {
#pragma unroll
    for (int i = 0; i < Shape::kDown; i += 4) {
      load_group(tile + place.row + place.group_row(i), a + i, 4);
    }
  }
};

// Writes a thread's piece of C, where all rows of C begin at multiples of 16 bytes. row, column: of
// its warp's part.
template <class Shape>
__device__ void store_wide(const float (&sums)[Shape::kDown][Shape::kAcross],
                           const Place<Shape>& place, float* c, int m, int n, int row, int column) {
#pragma unroll
  for (int i = 0; i < Shape::kDown; ++i) {
    const int y = row + place.group_row(i - i % 4) + i % 4;
    if (y >= m) continue;
#pragma unroll
    for (int j = 0; j < Shape::kAcross; j += 4) {
      const int x = column + place.group_column(j);
      if (x < n) store_group(c + static_cast<size_t>(y) * n + x, &sums[i][j], Shape::kAcross - j);
    }
  }
}

// The same where rows may begin anywhere: a warp's part goes through shared memory, so that
// neighboring lanes write neighboring elements.
constexpr int kRowsAtOnce = 4 * kLanesDown;  // a group of each thread
template <class Shape>
__device__ void store_through(float* shared, const float (&sums)[Shape::kDown][Shape::kAcross],
                              const Place<Shape>& place, float* c, int m, int n, int row,
                              int column) {
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

// Adds up the steps from blockIdx.z * steps on, into the part of the sums that begins at
// parts + blockIdx.z * m * n. k: of both factors, at least one step for each part.
template <class Plan, int kStages>
__global__ void __launch_bounds__(kThreads, Plan::Shape::kBlocks)
    multiply(Factor a, Factor b, float* __restrict__ parts, bool wide_parts, int k, int steps) {
  using Shape = typename Plan::Shape;
  const int m = a.lines;
  const int n = b.lines;
  const int first_step = blockIdx.z * steps;
  const int my_steps = min(steps, k - first_step);
  const int phases = ceil_div(my_steps, kDepth);
  extern __shared__ float4 shared[];
  auto* const tiles = reinterpret_cast<Tiles<Plan>*>(shared);
  const int first_row = blockIdx.y * Shape::kRows;
  const int first_column = blockIdx.x * Shape::kColumns;
  const Place<Shape> place;

  Couriers<Plan> couriers(a, b, first_row, first_column, first_step, my_steps);
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
      factors[step % 2].multiply_add(sums);
    }
  }

  float* const c = parts + static_cast<size_t>(blockIdx.z) * m * n;
  const int row = first_row + place.row;
  const int column = first_column + place.column;
  if (wide_parts) {
    store_wide(sums, place, c, m, n, row, column);
  } else {
    __syncthreads();
    store_through(reinterpret_cast<float*>(shared), sums, place, c, m, n, row, column);
  }
}

// a: m x k. to: k rows of m floats, `pitch` apart, with zeros between them.
constexpr int kSquareSide = 64;  // rows and columns per block
__global__ void __launch_bounds__(kThreads)
    transpose(const float* a, int m, int k, float* to, int pitch) {
  constexpr int kAtOnce = kThreads / kSquareSide;  // rows
  __shared__ float tile[kSquareSide][kSquareSide + 1];
  const int across = ceil_div(k, kSquareSide);
  const int first_row = blockIdx.x / across * kSquareSide;
  const int first_step = blockIdx.x % across * kSquareSide;
  const int x = threadIdx.x % kSquareSide;
  const int y = threadIdx.x / kSquareSide;
#pragma unroll
  for (int i = 0; i < kSquareSide; i += kAtOnce) {
    const int row = first_row + y + i;
    const int step = first_step + x;
    tile[y + i][x] = row < m && step < k ? a[static_cast<size_t>(row) * k + step] : 0;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kSquareSide; i += kAtOnce) {
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

__global__ void add_parts(const float* parts, float* c, int count, int splits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int z = 0; z < splits; ++z) sum += parts[static_cast<size_t>(z) * count + i];
  c[i] = sum;
}

// Memory for the time of a call. What is freed in stream order stays with this process.
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

bool is_wide(const float* data, int pitch) {  // every row begins at a multiple of 16 bytes
  return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0 && pitch % 4 == 0;
}

// steps: of each part of the sums. parts: one m x n matrix for each.
template <class Plan, int kStages>
void launch_stages(const Factor& a, const Factor& b, float* parts, int k, int steps) {
  using Shape = typename Plan::Shape;
  constexpr size_t kStoreBytes =
      sizeof(float) * kThreads / 32 * kRowsAtOnce * Plan::Shape::kWarpColumns;
  constexpr int kBytes = std::max(kStages * sizeof(Tiles<Plan>), kStoreBytes);
  const auto kernel = multiply<Plan, kStages>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid(ceil_div(b.lines, Shape::kColumns), ceil_div(a.lines, Shape::kRows),
                  ceil_div(k, steps));
  kernel<<<grid, kThreads, kBytes>>>(a, b, parts, is_wide(parts, b.lines), k, steps);
  CHECK(cudaGetLastError());
}
template <class Plan>
void launch(const Factor& a, const Factor& b, float* parts, int k, int steps) {
  constexpr int kStages = Plan::Shape::kStages;
  if (attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) >=
      static_cast<int>(kStages * sizeof(Tiles<Plan>))) {
    launch_stages<Plan, kStages>(a, b, parts, k, steps);
  } else {
    launch_stages<Plan, 2>(a, b, parts, k, steps);  // 64 KiB: compute capability 7.5
  }
}

template <class Shape>
long long tiles_of(int m, int n) {
  return static_cast<long long>(ceil_div(m, Shape::kRows)) * ceil_div(n, Shape::kColumns);
}

// Elements in C or beyond its edge that the multiprocessor with the most tiles has.
template <class Shape>
double work(int m, int n, int multiprocessors) {
  return std::ceil(static_cast<double>(tiles_of<Shape>(m, n)) / multiprocessors) * Shape::kRows *
         Shape::kColumns;
}

// A: m x k, B: k x n. Square tiles if `square`, and else Large ones.
void multiply_large(const float* a, const float* b, float* c, int m, int n, int k, bool square) {
  Factor factor_b = {b, n, n};
  float* apart = nullptr;
  if (!is_wide(b, n)) {
    factor_b.pitch = ceil_div(n, 4) * 4;
    apart = allocate(k, factor_b.pitch);
    move_apart<<<k, kThreads>>>(b, n, apart, factor_b.pitch);
    CHECK(cudaGetLastError());
    factor_b.data = apart;
  }
  if (square) {
    const int pitch = ceil_div(m, 4) * 4;
    float* const transposed = allocate(k, pitch);
    transpose<<<ceil_div(k, kSquareSide) * ceil_div(m, kSquareSide), kThreads>>>(a, m, k,
                                                                                 transposed, pitch);
    CHECK(cudaGetLastError());
    launch<TransposedBefore<Square>>({transposed, m, pitch}, factor_b, c, k, k);
    CHECK(cudaFreeAsync(transposed, 0));
  } else {
    launch<Transposing<Large, 4>>({a, m, k}, factor_b, c, k, k);
  }
  if (apart != nullptr) CHECK(cudaFreeAsync(apart, 0));
}

// The same with small tiles, whose sums are divided among blocks where there are few of them.
void multiply_small(const float* a, const float* b, float* c, int m, int n, int k,
                    int multiprocessors) {
  const auto multiply_into = [&](float* parts, int steps) {
    const auto multiply_plan =
        is_wide(b, n) ? launch<Transposing<Small, 4>> : launch<Transposing<Small, 1>>;
    multiply_plan({a, m, k}, {b, n, n}, parts, k, steps);
  };
  // Parts of whole phases, as many as fill the device but none shorter than eight phases.
  constexpr int kShortest = 8 * kDepth;
  const int wanted =
      static_cast<int>(std::min<long long>(multiprocessors / tiles_of<Small>(m, n), k / kShortest));
  if (wanted < 2) {
    multiply_into(c, k);
    return;
  }
  const int steps = ceil_div(ceil_div(k, kDepth), wanted) * kDepth;
  const int count = m * n;
  float* const parts = allocate(ceil_div(k, steps), count);
  multiply_into(parts, steps);
  add_parts<<<ceil_div(count, 256), 256>>>(parts, c, count, ceil_div(k, steps));
  CHECK(cudaGetLastError());
  CHECK(cudaFreeAsync(parts, 0));
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // there is no element of A or B that could be copied
    CHECK(cudaMemsetAsync(c, 0, sizeof(float) * m * n));
    return;
  }
  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  if (tiles_of<Large>(m, n) * 10 < multiprocessors * 7LL) {
    multiply_small(a, b, c, m, n, k, multiprocessors);
    return;
  }
  constexpr double kPass = 1.03;  // what the passes before take
  const bool square =
      work<Square>(m, n, multiprocessors) * kPass < work<Large>(m, n, multiprocessors);
  multiply_large(a, b, c, m, n, k, square);
}
