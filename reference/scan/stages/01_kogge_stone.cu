// Rung 1: Kogge-Stone in every block, and a recursion over the blocks' totals.
//
// In step d = 1, 2, 4, ... every element adds the one d places in front of it. Before the step it
// holds the sum of d elements, after it of 2 d, so log2(256) = 8 steps scan a block of 256.
// Cost: n log2(n) - (n - 1) additions for a block of n where a loop needs n - 1, and two barriers a
// step: all must have read before anybody writes, and all have written before anybody reads.
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

// Scans each block's elements by themselves. totals[b] becomes the sum of block b.
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;

  // Threads without an element bring the neutral 0, and take part in every barrier.
  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();

  for (int d = 1; d < kBlock; d *= 2) {
    const float left = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();  // everybody has read ...
    if (t >= d) temp[t] += left;
    __syncthreads();  // ... and everybody has written
  }

  // The exclusive sum is the inclusive one of the neighbour in front.
  if (i < n) sums[i] = exclusive == 0 ? temp[t] : t > 0 ? temp[t - 1] : 0.0f;
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

// Adds to each element the sum of all blocks before its own; for block 0 that is 0.
__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

int blocks_for(int n) {
  return (n + kBlock - 1) / kBlock;
}

// Floats of scratch memory that scan_level needs: the blocks' totals and their scan, level by level
// until one block holds everything.
int scratch_floats(int n) {
  const int blocks = blocks_for(n);
  return blocks == 1 ? 1 : 2 * blocks + scratch_floats(blocks);
}

// Scans any number of elements: each block by itself, then the blocks' totals by the same function,
// then back to the elements. With blocks of 256, a
// million elements take three levels: 4096 totals, 16 totals of these, one block.
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
