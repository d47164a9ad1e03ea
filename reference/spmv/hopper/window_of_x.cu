// Sparse matrix times vector for cards with much shared memory: a window of x in shared memory.
//
// The solution's products wait for x. Its elements come from L1, 32 lanes from up to 32 lines, and
// an H200 takes about one element per cycle and multiprocessor out of L1 then: rows of 32 and of 8
// and the power law all run at this rate. In shared memory, 32 random places take three or four
// wavefronts, so this works if adjacent rows have elements in about the same columns.
//
// - One block per multiprocessor takes adjacent rows, as many as have an equal share of rows and
//   elements together. Where its columns begin and end, it finds in its first and last elements. If
//   the range fits, it is copied to shared memory; what turns out to be outside comes from memory.
// - A warp takes 32 rows at a time, whichever are next, and their elements as one piece: loads are
//   coalesced, and the next tile's are under way while this one's products are summed up. Nothing
//   but a __syncwarp is needed. A place in 33 is left free, so that rows of 8, 16 or 32 begin in
//   different banks.
// - Long rows are left over. In the end, all warps share their elements.
// - What shared memory does not have is L1, and loads that are under way take places there. With
//   60 KB for L1, a matrix takes 0.86 to 0.98 of its time with 28 KB and a larger window.
#include <cuda_runtime.h>

#include <climits>
#include <cstdio>
#include <cstdlib>

#include "spmv.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kThreads = 1024;
constexpr int kLanes = 32;
constexpr int kWarps = kThreads / kLanes;
constexpr int kItems = 10;  // elements per lane and tile
constexpr int kTile = kLanes * kItems;
constexpr int kPadded = (kLanes + 1) * kItems;  // places for the products of a tile
constexpr int kWindow = 34816;  // elements of x
constexpr int kBytes = sizeof(float) * (kWindow + kWarps * kPadded);
constexpr int kFew = 32;  // products of a row that its lane adds up by itself
constexpr int kLong = 1024;  // elements of a row that is left over
constexpr int kMostLong = 256;  // of a block; further ones are not left over
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float sum_warp(float x) {
#pragma unroll
  for (int d = kLanes / 2; d > 0; d /= 2) x += __shfl_xor_sync(kAllLanes, x, d);
  return x;
}

// The first row r with row_starts[r] + r >= target, or `rows`, found by a warp: 32 parts at a time.
__device__ int row_of_share(const int* row_starts, int rows, long long target) {
  const int lane = threadIdx.x % kLanes;
  int low = 0;
  int high = rows;  // the answer is in [low, high]
  while (low < high) {
    const auto place = [&](int part) {
      return low + static_cast<int>(static_cast<long long>(high - low) * part / kLanes);
    };
    const int probe = place(lane);
    const unsigned enough =
        __ballot_sync(kAllLanes, static_cast<long long>(row_starts[probe]) + probe >= target);
    const int first = enough == 0 ? kLanes : __ffs(enough) - 1;
    const int new_low = first == 0 ? low : place(first - 1) + 1;
    high = first == kLanes ? high : place(first);
    low = new_low;
  }
  return low;
}

struct LongRow {
  int row;
  int begin;
  int end;
  float sum;
};

// x, as far as it is in shared memory.
struct Window {
  const float* x;
  const float* copied;
  int base;
  unsigned size;

  __device__ unsigned place(int column) const { return static_cast<unsigned>(column - base); }
  __device__ float operator[](int column) const {
    const unsigned at = place(column);
    return at < size ? copied[at] : x[column];
  }
};

__global__ void __launch_bounds__(kThreads, 1)
    multiply(const int* __restrict__ row_starts, const int* __restrict__ columns,
             const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y,
             int rows, int nonzeros) {
  extern __shared__ float shared[];
  __shared__ int bounds[2];
  __shared__ int next_group;
  __shared__ int lowest;
  __shared__ int highest;
  __shared__ LongRow long_rows[kMostLong];
  __shared__ int long_count;
  const int warp = threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  float* const products = shared + kWindow + warp * kPadded;
  if (warp < 2) {
    const long long work = static_cast<long long>(rows) + nonzeros;
    const unsigned share = blockIdx.x + warp;
    const int row =
        share == gridDim.x ? rows : row_of_share(row_starts, rows, work * share / gridDim.x);
    if (lane == 0) bounds[warp] = row;
  }
  if (threadIdx.x == 0) {
    next_group = 0;
    lowest = INT_MAX;
    highest = -1;
    long_count = 0;
  }
  __syncthreads();
  const int first_row = bounds[0];
  const int last_row = bounds[1];  // not of this block any more
  if (first_row == last_row) return;

  // A group is 32 rows. The elements from `at` up to `stop` are in front of its next long row.
  struct Group {
    int row;  // of this lane
    int begin;
    int end;
    unsigned longs;  // lanes whose rows are left over, and not passed yet
    int at;
    int stop;

    __device__ void skip_long_rows() {
      while (longs != 0 && at == __shfl_sync(kAllLanes, begin, __ffs(longs) - 1)) {
        at = __shfl_sync(kAllLanes, end, __ffs(longs) - 1);
        longs &= longs - 1;
      }
      stop = longs != 0 ? __shfl_sync(kAllLanes, begin, __ffs(longs) - 1)
                        : __shfl_sync(kAllLanes, end, kLanes - 1);
    }
  };
  const int groups = (last_row - first_row - 1) / kLanes + 1;
  const auto draw = [&](int& which) {
    int drawn = 0;
    if (lane == 0) drawn = atomicAdd(&next_group, 1);
    which = __shfl_sync(kAllLanes, drawn, 0);
    Group group{};
    group.row = min(first_row + min(which, groups) * kLanes + lane, last_row);
    group.begin = row_starts[group.row];
    group.end = row_starts[min(group.row + 1, last_row)];
    return group;
  };
  const auto leave_long_rows = [&](Group& group) {
    bool is_long = group.end - group.begin > kLong;
    if (is_long) {
      const int place = atomicAdd(&long_count, 1);
      is_long = place < kMostLong;
      if (is_long) long_rows[place] = {group.row, group.begin, group.end, 0};
    }
    group.longs = __ballot_sync(kAllLanes, is_long);
    group.at = __shfl_sync(kAllLanes, group.begin, 0);
    group.skip_long_rows();
  };
  int column[kItems] = {};
  float value[kItems] = {};
  const auto load = [&](const Group& group) {
    const int left = group.stop - group.at - lane;
    const int* from = columns + group.at + lane;
    const float* from_value = values + group.at + lane;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (i * kLanes < left) {
        column[i] = __ldcs(from + i * kLanes);
        value[i] = __ldcs(from_value + i * kLanes);
      }
    }
  };

  int which;
  int next;
  Group group = draw(which);
  Group coming = draw(next);
  leave_long_rows(group);
  if (which < groups) load(group);

  {
    const int begin = row_starts[first_row] + static_cast<int>(threadIdx.x);
    const int end = row_starts[last_row] - static_cast<int>(threadIdx.x);
    const bool exists = begin < end;
    const int from_front = exists ? columns[begin] : INT_MAX;
    const int from_back = exists ? columns[end - 1] : -1;
    const int low = __reduce_min_sync(kAllLanes, exists ? min(from_front, from_back) : INT_MAX);
    const int high = __reduce_max_sync(kAllLanes, exists ? max(from_front, from_back) : -1);
    if (lane == 0) {
      atomicMin(&lowest, low);
      atomicMax(&highest, high);
    }
  }
  __syncthreads();
  const bool fits = highest >= lowest && highest - lowest < kWindow;
  const Window window{x, shared, lowest, fits ? highest - lowest + 1u : 0};
#pragma unroll 8
  for (int i = threadIdx.x; i < static_cast<int>(window.size); i += kThreads) {
    shared[i] = x[window.base + i];
  }
  __syncthreads();

  float sum = 0;
  while (which < groups) {
    // Lanes that have loaded nothing multiply what they had before: those places are not read.
    unsigned farthest = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) farthest = max(farthest, window.place(column[i]));
    if (group.at == group.stop) {
      // No elements, and there may be no x either.
    } else if (__all_sync(kAllLanes, farthest < window.size)) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        products[i * (kLanes + 1) + lane] = value[i] * shared[window.place(column[i])];
      }
    } else {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        products[i * (kLanes + 1) + lane] = value[i] * window[column[i]];
      }
    }

    const Group now = group;
    const int tile_end = group.at + min(kTile, group.stop - group.at);
    group.at = tile_end;
    if (group.at == group.stop) group.skip_long_rows();
    const bool complete = group.at == group.stop;
    if (complete) {
      group = coming;
      which = next;
      if (which < groups) {
        leave_long_rows(group);
        coming = draw(next);
      }
    }
    if (which < groups) load(group);
    __syncwarp();  // the products are there

    const auto product = [&](int k) {
      const unsigned place = k - now.at;
      return products[place + place / kLanes];
    };
    const int from = max(now.begin, now.at);
    const int to = min(now.end, tile_end);
    const int few_to = min(to, from + kFew);
    for (int k = from; k < few_to; ++k) sum += product(k);
    // What is left of longer rows: one after the other, by the whole warp.
    unsigned longer = __ballot_sync(kAllLanes, few_to < to);
    while (longer != 0) {
      const int owner = __ffs(longer) - 1;
      longer &= longer - 1;
      const int owner_to = __shfl_sync(kAllLanes, to, owner);
      float part = 0;
      int k = __shfl_sync(kAllLanes, few_to, owner) + lane;
      for (; k < owner_to; k += kLanes) part += product(k);
      part = sum_warp(part);
      if (lane == owner) sum += part;
    }
    __syncwarp();  // all have read the products
    if (complete) {
      if (now.row < last_row) y[now.row] = sum;  // of rows left over, a number to be overwritten
      sum = 0;
    }
  }

  __syncthreads();
  const int left_over = min(long_count, kMostLong);
  int tile = warp;
  for (int l = 0; l < left_over; ++l) {
    LongRow& row = long_rows[l];
    const int tiles = (row.end - row.begin - 1) / kTile + 1;
    for (; tile < tiles; tile += kWarps) {
      float part = 0;
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const int k = row.begin + tile * kTile + i * kLanes + lane;
        if (k < row.end) part += values[k] * window[columns[k]];
      }
      part = sum_warp(part);
      if (lane == 0) atomicAdd(&row.sum, part);
    }
    tile -= tiles;  // the next row's first tile is the next warp's
  }
  __syncthreads();
  for (int l = threadIdx.x; l < left_over; l += kThreads) y[long_rows[l].row] = long_rows[l].sum;
}

}  // namespace

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  int device = 0;
  int multiprocessors = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  multiply<<<multiprocessors, kThreads, kBytes>>>(row_starts, columns, values, x, y, rows,
                                                  nonzeros);
  CHECK(cudaGetLastError());
}
