// The reference: the row in registers, loaded once, by a warp or by a block.
//
// A softmax reads 4 bytes and writes 4 for each value, and the five operations in between are free
// if the value is loaded once. How many threads a row takes depends on its length: a warp up to 256
// columns, which needs no barrier, then blocks of 128 to 1024 threads with up to 32 values each.
// Blocks are as small as their rows allow: while one waits at its barrier, the others of the
// multiprocessor load and store. Rows longer than 32768 are read twice, with the largest value and
// the sum found in one pass.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>
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

namespace {

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ float warp_max(float value) {
#pragma unroll
  for (int d = kWarp / 2; d > 0; d /= 2) value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, d));
  return value;
}

__device__ float warp_sum(float value) {
#pragma unroll
  for (int d = kWarp / 2; d > 0; d /= 2) value += __shfl_xor_sync(kAllLanes, value, d);
  return value;
}

// A row for each group of kThreads threads, which holds it in kMost registers of each thread.
// @param kRows  rows per block: more than one only for groups of one warp
template <int kThreads, int kMost, int kRows>
__global__ void __launch_bounds__(kThreads* kRows)
    row_in_registers(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  constexpr int kWarps = kThreads / kWarp;
  static_assert(kRows == 1 || kWarps == 1, "groups of several warps meet at the block's barrier");
  __shared__ float largest_of[kWarps];
  __shared__ float sum_of[kWarps];
  const int t = threadIdx.x;
  const int lane = t % kWarp;
  const int row = blockIdx.x * kRows + threadIdx.y;
  if (row >= rows) return;  // whole warps, in blocks that have no barrier
  in += static_cast<std::size_t>(row) * columns;
  out += static_cast<std::size_t>(row) * columns;

  float kept[kMost];
  float largest = -INFINITY;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    const int c = t + k * kThreads;
    kept[k] = c < columns ? in[c] : -INFINITY;
  }
#pragma unroll
  for (int k = 0; k < kMost; ++k) largest = fmaxf(largest, kept[k]);
  largest = warp_max(largest);
  if constexpr (kWarps > 1) {
    if (lane == 0) largest_of[t / kWarp] = largest;
    __syncthreads();
    largest = warp_max(largest_of[lane % kWarps]);
  }

  float sum = 0;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {  // exp(-infinity) is 0: columns that do not exist add nothing
    kept[k] = expf(kept[k] - largest);
    sum += kept[k];
  }
  sum = warp_sum(sum);
  if constexpr (kWarps > 1) {
    if (lane == 0) sum_of[t / kWarp] = sum;
    __syncthreads();
    sum = warp_sum(lane < kWarps ? sum_of[lane] : 0);
  }

  const float factor = 1 / sum;
#pragma unroll
  for (int k = 0; k < kMost; ++k) {
    const int c = t + k * kThreads;
    if (c < columns) out[c] = kept[k] * factor;
  }
}

constexpr int kLongBlock = 512;

// The largest of some values, and the sum of exp(value - largest) over them.
struct Partial {
  float largest;
  float sum;
};

__device__ Partial combine(Partial a, Partial b) {
  const float largest = fmaxf(a.largest, b.largest);
  if (largest == -INFINITY) return a;  // no values yet: -infinity minus -infinity is NaN
  return {largest, a.sum * expf(a.largest - largest) + b.sum * expf(b.largest - largest)};
}

// The same for a single value, with one exponential instead of two.
__device__ Partial add(Partial a, float x) {
  const float step = x - a.largest;
  const float e = expf(-fabsf(step));
  // x - x is 0, and NaN for infinity, as the formula says.
  return step > 0 ? Partial{x, a.sum * e + 1 + (x - x)} : Partial{a.largest, a.sum + e};
}

// The largest value first, then the sums with respect to it: one exponential instead of ten.
__device__ Partial combine_warp(Partial mine) {
  const float largest = warp_max(mine.largest);
  if (mine.largest != largest) mine.sum *= expf(mine.largest - largest);
  return {largest, warp_sum(mine.sum)};
}

// Rows too long for the registers of a block. Each thread keeps four partial results, so that four
// loads are under way.
__global__ void __launch_bounds__(kLongBlock)
    long_rows(const float* __restrict__ in, float* __restrict__ out, int columns) {
  constexpr int kWarps = kLongBlock / kWarp;
  constexpr int kChains = 4;
  __shared__ Partial part[kWarps];
  const int t = threadIdx.x;
  const int lane = t % kWarp;
  in += static_cast<std::size_t>(blockIdx.x) * columns;
  out += static_cast<std::size_t>(blockIdx.x) * columns;

  const Partial none = {-INFINITY, 0};
  Partial chain[kChains] = {none, none, none, none};
  int c = t;
  for (; c + (kChains - 1) * kLongBlock < columns; c += kChains * kLongBlock) {
#pragma unroll
    for (int k = 0; k < kChains; ++k) chain[k] = add(chain[k], in[c + k * kLongBlock]);
  }
  for (; c < columns; c += kLongBlock) chain[0] = add(chain[0], in[c]);
  const Partial mine =
      combine_warp(combine(combine(chain[0], chain[1]), combine(chain[2], chain[3])));
  if (lane == 0) part[t / kWarp] = mine;
  __syncthreads();
  const Partial row = combine_warp(lane < kWarps ? part[lane] : none);

  const float factor = 1 / row.sum;
#pragma unroll 4
  for (c = t; c < columns; c += kLongBlock) out[c] = expf(in[c] - row.largest) * factor;
}

// The smallest number of registers that hold a row.
template <int kThreads, int kRows = 1>
void launch(const float* in, float* out, int rows, int columns) {
  const dim3 block(kThreads, kRows);
  const int blocks = (rows + kRows - 1) / kRows;
  if (columns <= 4 * kThreads) {
    row_in_registers<kThreads, 4, kRows><<<blocks, block>>>(in, out, rows, columns);
  } else if (columns <= 8 * kThreads) {
    row_in_registers<kThreads, 8, kRows><<<blocks, block>>>(in, out, rows, columns);
  } else if (columns <= 16 * kThreads) {
    row_in_registers<kThreads, 16, kRows><<<blocks, block>>>(in, out, rows, columns);
  } else {
    row_in_registers<kThreads, 32, kRows><<<blocks, block>>>(in, out, rows, columns);
  }
}

}  // namespace

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  if (columns <= 8 * kWarp) {
    launch<kWarp, 8>(in, out, rows, columns);
  } else if (columns <= 8 * 128) {
    launch<128>(in, out, rows, columns);
  } else if (columns <= 16 * 256) {
    launch<256>(in, out, rows, columns);
  } else if (columns <= 32 * 512) {
    launch<512>(in, out, rows, columns);
  } else if (columns <= 32 * 1024) {
    launch<1024>(in, out, rows, columns);
  } else {
    long_rows<<<rows, kLongBlock>>>(in, out, columns);
  }
  CHECK(cudaGetLastError());
}
