// The reference solution: a block takes adjacent rows, and their products go through shared memory.
//
// Rows are adjacent in memory, so the elements of adjacent rows are one piece. All threads of the
// block read it, neighbors neighboring elements, whatever rows they are in: no lane is idle in a
// short row, and six elements of each thread are under way at once. Then a few lanes per row add up
// its products, and the whole warp where a row is much longer than the others. A block with long
// rows takes longer, while the multiprocessor has others.
//
// In many matrices, adjacent rows have elements in about the same columns. Blocks are handed out to
// all multiprocessors in turn, so it takes large ones for adjacent rows to find each other's
// elements of x in L1: blocks of 1024 threads are up to 1.4 times as fast as blocks of 256 on an
// H200, if there are enough of them.
#include "spmv.h"

#include <cuda_runtime.h>

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

// Threads of a multiprocessor: each block may take as many registers as leave room for them.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900
constexpr int kThreads = 2048;
#elif __CUDA_ARCH__ == 750
constexpr int kThreads = 1024;
#else
constexpr int kThreads = 1536;
#endif
constexpr int kItems = 6;  // elements per thread and tile
constexpr int kFew = 16;  // products of a row that each of its lanes adds up by itself
constexpr unsigned kAllLanes = 0xffffffff;

// @param kLanes  lanes per row: a power of two up to 32
template <int kLanes, int kBlock>
__global__ void __launch_bounds__(kBlock, kThreads / kBlock)
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
  constexpr int kLarge = 1024;
  constexpr int kSmall = 256;
  const auto blocks = [rows](int block) { return (rows - 1) / (block / kLanes) + 1; };
  int device = 0;
  int multiprocessors = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  if (blocks(kLarge) >= 2 * multiprocessors) {
    multiply<kLanes, kLarge><<<blocks(kLarge), kLarge>>>(row_starts, columns, values, x, y, rows);
  } else {
    multiply<kLanes, kSmall><<<blocks(kSmall), kSmall>>>(row_starts, columns, values, x, y, rows);
  }
}

}  // namespace

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
  CHECK(cudaGetLastError());
}
