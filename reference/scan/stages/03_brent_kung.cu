// Rung 3: Brent-Kung, a tree up and a tree down.
//
// The first sweep is a reduction: pairs, pairs of pairs, ... so that the last element of each group
// of 2, 4, 8, ... holds the group's sum. The second sweep goes back and hands these sums to the
// middle of the group that follows. A block of 256 threads scans 512 elements.
// Cost: 2 (n - 1) - log2(n) additions for a tile of n, 1013 where Kogge-Stone has 4097, but about
// twice as many steps, and in most of them only a few threads have work.
#include "scan.h"

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

constexpr int kBlock = 256;
constexpr int kTile = 2 * kBlock;  // elements a block scans

// Scans each tile by itself. totals[b] becomes the sum of block b's tile.
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kTile];
  const int t = threadIdx.x;
  const int begin = blockIdx.x * kTile;

  // Two elements per thread, a block's width apart, so that a warp loads neighbours.
  for (int k = t; k < kTile; k += kBlock) {
    temp[k] = begin + k < n ? values[begin + k] : 0.0f;
  }

  // Up: the last element of each group of 2 d takes the sum of the group's first half.
  for (int d = 1; d < kTile; d *= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * d - 1;
    if (i < kTile) temp[i] += temp[i - d];
  }
  // Down: the last element of a group is a prefix sum by now; the middle of the next one needs it.
  for (int d = kTile / 4; d > 0; d /= 2) {
    __syncthreads();
    const int i = (t + 1) * 2 * d - 1;
    if (i + d < kTile) temp[i + d] += temp[i];
  }
  __syncthreads();  // what a thread stores, others have summed up

  for (int k = t; k < kTile; k += kBlock) {
    if (begin + k < n) {
      sums[begin + k] = exclusive == 0 ? temp[k] : k > 0 ? temp[k - 1] : 0.0f;
    }
  }
  if (t == 0) totals[blockIdx.x] = temp[kTile - 1];
}

// Adds to each element the sum of all blocks before its own; for block 0 that is 0.
__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kTile + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
  if (i + kBlock < n) sums[i + kBlock] += before[blockIdx.x];
}

int blocks_for(int n) {
  return (n + kTile - 1) / kTile;
}

// Floats of scratch memory that scan_level needs: the blocks' totals and their scan, level by level
// until one block holds everything.
int scratch_floats(int n) {
  const int blocks = blocks_for(n);
  return blocks == 1 ? 1 : 2 * blocks + scratch_floats(blocks);
}

// Scans any number of elements: each block by itself, then the blocks' totals by the same function,
// then back to the elements. With tiles of 512, a
// million elements take three levels: 2048 totals, 4 totals of these, one block.
void scan_level(const float* values, float* sums, int n, int exclusive, float* scratch) {
  const int blocks = blocks_for(n);
  float* totals = scratch;
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  CHECK(cudaGetLastError());
  if (blocks == 1) return;
  float* before = totals + blocks;
  scan_level(totals, before, blocks, 1, before + blocks);
  add_before<<<blocks, kBlock>>>(sums, before, n);
  CHECK(cudaGetLastError());
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  float* scratch;
  CHECK(cudaMalloc(&scratch, scratch_floats(n) * sizeof(float)));
  scan_level(values, sums, n, exclusive, scratch);
  CHECK(cudaFree(scratch));
}
