// Adjacent rows per block instead of equal shares of the elements. The elements of adjacent rows
// are one piece of memory, so the block reads them as before; but each row is in one block, which
// needs no search, no atomics and no y that is set to 0 before. A few lanes add up a row, and the
// whole warp what is left of a long one.
#include "spmv.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;
constexpr int kItems = 6;  // elements per thread and tile
constexpr int kFew = 16;  // products of a row that each of its lanes adds up by itself
constexpr unsigned kAllLanes = 0xffffffff;

// @param kLanes  lanes per row: a power of two up to 32
template <int kLanes>
__global__ void __launch_bounds__(kBlock)
    multiply(const int* __restrict__ row_starts, const int* __restrict__ columns,
             const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y,
             int rows) {
  constexpr int kTile = kBlock * kItems;
  constexpr int kRows = kBlock / kLanes;  // of this block
  __shared__ float products[kTile];
  const int first_row = blockIdx.x * kRows;
  const int row = first_row + threadIdx.x / kLanes;
  const int lane = threadIdx.x % kLanes;
  const int row_begin = row_starts[min(row, rows)];  // a row that does not exist is empty
  const int row_end = row_starts[min(row + 1, rows)];
  const int begin = row_starts[first_row];
  const int end = row_starts[min(first_row + kRows, rows)];
  float sum = 0;
  for (int tile = begin; tile < end; tile += kTile) {
    int column[kItems];
    float value[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int k = tile + i * kBlock + threadIdx.x;
      if (k < end) {
        column[i] = columns[k];
        value[i] = values[k];
      }
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int place = i * kBlock + threadIdx.x;
      if (tile + place < end) products[place] = value[i] * x[column[i]];
    }
    __syncthreads();

    const int from = max(row_begin, tile);
    const int to = min(row_end, tile + kTile);
    const int few_to = min(to, from + kFew * kLanes);
    for (int k = from + lane; k < few_to; k += kLanes) sum += products[k - tile];
    // What is left of longer rows: one after the other, by the whole warp.
    unsigned longer = __ballot_sync(kAllLanes, lane == 0 && few_to < to);
    while (longer != 0) {
      const int owner = __ffs(longer) - 1;
      longer &= longer - 1;
      const int owner_to = __shfl_sync(kAllLanes, to, owner);
      float part = 0;
      int k = __shfl_sync(kAllLanes, few_to, owner) + threadIdx.x % 32;
      for (; k < owner_to; k += 32) part += products[k - tile];
      for (int d = 16; d > 0; d /= 2) part += __shfl_down_sync(kAllLanes, part, d);
      part = __shfl_sync(kAllLanes, part, 0);
      if (threadIdx.x % 32 == owner) sum += part;
    }
    __syncthreads();  // all have read the products
  }
  for (int d = kLanes / 2; d > 0; d /= 2) sum += __shfl_down_sync(kAllLanes, sum, d, kLanes);
  if (lane == 0 && row < rows) y[row] = sum;
}

template <int kLanes>
void launch(const int* row_starts, const int* columns, const float* values, const float* x,
            float* y, int rows) {
  constexpr int kRows = kBlock / kLanes;  // per block
  multiply<kLanes><<<(rows + kRows - 1) / kRows, kBlock>>>(row_starts, columns, values, x, y, rows);
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows == 0) return;
  // About eight elements of a row of mean length per lane.
  const int mean = nonzeros / rows;
  const auto multiply_with = mean <= 8     ? launch<1>
                             : mean <= 16  ? launch<2>
                             : mean <= 32  ? launch<4>
                             : mean <= 64  ? launch<8>
                             : mean <= 128 ? launch<16>
                                           : launch<32>;
  multiply_with(row_starts, columns, values, x, y, rows);
}
