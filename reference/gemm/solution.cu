// The reference. A block computes a tile of C from tiles of A and B in shared memory, a thread a
// small piece of it in registers; two buffers, one barrier a phase, four floats an access
// (stages/09 to 11 take these steps one by one). What is added here:
//
// - Two sizes of tiles. A large one, 128 x 128 with 8 x 8 elements a thread, where there are enough
//   of them for all multiprocessors: 64 multiply-adds for four loads from shared memory. Else
//   64 x 64 with 4 x 4.
// - Where even the small tiles are too few and k is long, several blocks share the sum (stages/12).
// - The lanes of a warp have 4 x 8 pieces of C, not 2 x 16, and in an order in which neighbours
//   read the same 16 bytes of B, and every other one the same of A: shared memory then serves a
//   float4 of all 32 lanes in two passes.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>
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

// Rows and columns of C a block (kTile) and a thread (kEach), and steps a phase.
template <int kTileSize, int kEachSize, int kDepthSize>
struct Shape {
  static constexpr int kTile = kTileSize;
  static constexpr int kEach = kEachSize;
  static constexpr int kDepth = kDepthSize;
  static constexpr int kAcross = kTile / kEach;  // threads in each direction
  static constexpr int kThreads = kAcross * kAcross;
  static constexpr int kSlice = 4 * kThreads / kTile;  // steps that one float4 a thread covers
  static constexpr int kLoads = kDepth / kSlice;  // float4 a thread, of A and of B
  static constexpr int kGroups = kEach / 4;  // a thread's rows and columns come in fours,
  static constexpr int kStride = 4 * kAcross;  // which lie this far apart
  static constexpr int kPitch = kTile + 4;  // of A's turned tile: no conflicts when it is stored
  static_assert(kDepth % kSlice == 0 && kSlice % 8 == 0 && kEach % 4 == 0);
};
using Large = Shape<128, 8, 16>;
using Small = Shape<64, 4, 16>;

struct Matrix {
  const float* data;
  int rows;
  int columns;
};

// Four neighbours of a row, of which `count` exist. kWide: they all do, at a multiple of 16 bytes.
template <bool kWide>
__device__ __forceinline__ float4 load4(const float* from, int count) {
  if (kWide) return __ldg(reinterpret_cast<const float4*>(from));
  return make_float4(from[0], count > 1 ? from[1] : 0, count > 2 ? from[2] : 0,
                     count > 3 ? from[3] : 0);
}

__device__ __forceinline__ void store4(float* to, const float* four, int count, bool wide) {
  if (wide) {
    *reinterpret_cast<float4*>(to) = make_float4(four[0], four[1], four[2], four[3]);
    return;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    if (j < count) to[j] = four[j];
  }
}

// The tiles of one phase. A's is turned: a thread needs neighbours of a column of A.
template <class S>
struct Tiles {
  __align__(16) float a[S::kDepth][S::kPitch];
  __align__(16) float b[S::kDepth][S::kTile];
};

// A thread's part of the tiles: loaded for the next phase while this one is multiplied.
template <class S, bool kWide>
class Courier {
 public:
  __device__ Courier(const Matrix& a, const Matrix& b, int first_row, int first_column, int begin)
      : steps_(a.columns - begin),
        columns_left_(b.columns - first_column - b_column()),
        row_exists_(first_row + a_row() < a.rows),
        b_pitch_(b.columns),
        a_(a.data + static_cast<size_t>(first_row + a_row()) * a.columns + begin + a_step()),
        b_(b.data + static_cast<size_t>(begin + b_step()) * b.columns + first_column + b_column()) {
  }

  // Fetches a phase; the next call fetches the next one.
  __device__ void fetch() {
#pragma unroll
    for (int i = 0; i < S::kLoads; ++i) {
      const int a_left = steps_ - a_step() - i * S::kSlice;
      const int b_left = steps_ - b_step() - i * S::kSlice;
      a_four_[i] = make_float4(0, 0, 0, 0);
      b_four_[i] = make_float4(0, 0, 0, 0);
      if (row_exists_ && a_left > 0) a_four_[i] = load4<kWide>(a_ + i * S::kSlice, a_left);
      if (columns_left_ > 0 && b_left > 0) b_four_[i] = load4<kWide>(b_, columns_left_);
      b_ += static_cast<size_t>(S::kSlice) * b_pitch_;
    }
    a_ += S::kDepth;
    steps_ -= S::kDepth;
  }

  __device__ void store(Tiles<S>& tiles) const {
#pragma unroll
    for (int i = 0; i < S::kLoads; ++i) {
      float(*const a_slice)[S::kPitch] = tiles.a + i * S::kSlice + a_step();
      a_slice[0][a_row()] = a_four_[i].x;
      a_slice[1][a_row()] = a_four_[i].y;
      a_slice[2][a_row()] = a_four_[i].z;
      a_slice[3][a_row()] = a_four_[i].w;
      *reinterpret_cast<float4*>(&tiles.b[i * S::kSlice + b_step()][b_column()]) = b_four_[i];
    }
  }

 private:
  // A warp takes 32 bytes of each of 16 rows of A: whole sectors, and 32 banks when stored.
  static __device__ int a_row() {
    return threadIdx.x / 2 % S::kTile;
  }
  static __device__ int a_step() {
    return 4 * (threadIdx.x % 2 + threadIdx.x / (2 * S::kTile) * 2);
  }
  static __device__ int b_step() {
    return threadIdx.x / (S::kTile / 4);
  }
  static __device__ int b_column() {
    return threadIdx.x % (S::kTile / 4) * 4;
  }

  int steps_;  // from the phase's first one to k
  int columns_left_;  // from this thread's first one on
  bool row_exists_;
  int b_pitch_;
  const float* a_;
  const float* b_;
  float4 a_four_[S::kLoads];
  float4 b_four_[S::kLoads];
};

// sums += A's tile * B's tile, for the thread's rows from y and its columns from x.
template <class S>
__device__ __forceinline__ void multiply_tiles(const Tiles<S>& tiles, int y, int x,
                                               float (&sums)[S::kEach][S::kEach]) {
#pragma unroll
  for (int step = 0; step < S::kDepth; ++step) {
    float4 left[S::kGroups];
    float4 right[S::kGroups];
#pragma unroll
    for (int g = 0; g < S::kGroups; ++g) {
      left[g] = *reinterpret_cast<const float4*>(&tiles.a[step][y + g * S::kStride]);
      right[g] = *reinterpret_cast<const float4*>(&tiles.b[step][x + g * S::kStride]);
    }
#pragma unroll
    for (int i = 0; i < S::kEach; ++i) {
      const float4 four = left[i / 4];
      const float factor = i % 4 == 0 ? four.x : i % 4 == 1 ? four.y : i % 4 == 2 ? four.z : four.w;
#pragma unroll
      for (int g = 0; g < S::kGroups; ++g) {
        sums[i][4 * g] += factor * right[g].x;
        sums[i][4 * g + 1] += factor * right[g].y;
        sums[i][4 * g + 2] += factor * right[g].z;
        sums[i][4 * g + 3] += factor * right[g].w;
      }
    }
  }
}

// Adds up the steps from blockIdx.z * steps on, into the part of the sums that begins at
// parts + blockIdx.z * a.rows * b.columns.
template <class S, bool kWide>
__global__ void __launch_bounds__(S::kThreads, 2)
    multiply(Matrix a, Matrix b, float* parts, bool wide_parts, int steps) {
  __shared__ Tiles<S> tiles[2];
  const int first_row = blockIdx.y * S::kTile;
  const int first_column = blockIdx.x * S::kTile;
  const int begin = blockIdx.z * steps;
  const int end = min(a.columns, begin + steps);

  // This thread's place among the kAcross x kAcross threads, each with 4 x 4 elements a group.
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int y = 4 * (warp / (S::kAcross / 8) * 4 + lane / 16 * 2 + lane % 2);
  const int x = 4 * (warp % (S::kAcross / 8) * 8 + lane / 2 % 8);

  Courier<S, kWide> courier(a, b, first_row, first_column, begin);
  courier.fetch();
  courier.store(tiles[0]);
  __syncthreads();

  float sums[S::kEach][S::kEach] = {};
  int current = 0;
  for (int next = begin + S::kDepth; next < end; next += S::kDepth) {
    courier.fetch();
    multiply_tiles<S>(tiles[current], y, x, sums);
    current = 1 - current;
    courier.store(tiles[current]);
    __syncthreads();  // the next tiles are complete, and the others free
  }
  multiply_tiles<S>(tiles[current], y, x, sums);

  const int rows = a.rows;
  const int columns = b.columns;
  float* const c = parts + static_cast<size_t>(blockIdx.z) * rows * columns;
#pragma unroll
  for (int i = 0; i < S::kEach; ++i) {
    const int row = first_row + y + i % 4 + i / 4 * S::kStride;
    if (row >= rows) continue;
#pragma unroll
    for (int g = 0; g < S::kGroups; ++g) {
      const int column = first_column + x + g * S::kStride;
      if (column >= columns) continue;
      store4(c + static_cast<size_t>(row) * columns + column, &sums[i][4 * g], columns - column,
             wide_parts);
    }
  }
}

__global__ void add_parts(const float* parts, float* c, int count, int splits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int z = 0; z < splits; ++z) sum += parts[static_cast<size_t>(z) * count + i];
  c[i] = sum;
}

int ceil_div(int a, int b) {
  return a / b + (a % b != 0);
}

bool is_wide(const float* matrix, int columns) {  // every row begins at a multiple of 16 bytes
  return reinterpret_cast<std::uintptr_t>(matrix) % sizeof(float4) == 0 && columns % 4 == 0;
}

template <class S>
void launch(const Matrix& a, const Matrix& b, float* parts, int steps, int splits) {
  const dim3 grid(ceil_div(b.columns, S::kTile), ceil_div(a.rows, S::kTile), splits);
  const bool wide_inputs = is_wide(a.data, a.columns) && is_wide(b.data, b.columns);
  const auto kernel = wide_inputs ? multiply<S, true> : multiply<S, false>;
  kernel<<<grid, S::kThreads>>>(a, b, parts, is_wide(parts, b.columns), steps);
  CHECK(cudaGetLastError());
}

template <class S>
long long tiles_of(int m, int n) {
  return static_cast<long long>(ceil_div(m, S::kTile)) * ceil_div(n, S::kTile);
}

}  // namespace

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;  // k = 0 is no exception below: the sums stay 0
  const Matrix left = {a, m, k};
  const Matrix right = {b, k, n};
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));

  if (tiles_of<Large>(m, n) >= multiprocessors) {
    launch<Large>(left, right, c, k, 1);
    return;
  }
  // Parts of whole phases, as many as fill the device but none shorter than eight phases.
  constexpr int kShortest = 8 * Small::kDepth;
  const int wanted = std::min<long long>(multiprocessors / tiles_of<Small>(m, n), k / kShortest);
  if (wanted < 2) {
    launch<Small>(left, right, c, k, 1);
    return;
  }
  const int steps = ceil_div(ceil_div(k, Small::kDepth), wanted) * Small::kDepth;
  const int splits = ceil_div(k, steps);
  const int count = m * n;
  float* parts = nullptr;
  CHECK(cudaMallocAsync(&parts, sizeof(float) * splits * count, 0));
  launch<Small>(left, right, parts, steps, splits);
  add_parts<<<ceil_div(count, 256), 256>>>(parts, c, count, splits);
  CHECK(cudaGetLastError());
  CHECK(cudaFreeAsync(parts, 0));
}
