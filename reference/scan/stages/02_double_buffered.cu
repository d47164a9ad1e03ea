// Rung 2: Kogge-Stone from one buffer into another, one barrier per step.
//
// When a step reads one array and writes another, no thread overwrites what a neighbour still has
// to read, and the first of rung 1's two barriers can go. The buffers change places after every
// step. Two things must be remembered: an element below the distance is copied, as it has to be in
// the new buffer, too; and the result is in the buffer that was written last. Cost: the additions
// of rung 1, half its barriers, twice its shared memory.
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
  __shared__ float buffers[2][kBlock];
  float* from = buffers[0];
  float* to = buffers[1];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;

  from[t] = i < n ? values[i] : 0.0f;
  __syncthreads();

  for (int d = 1; d < kBlock; d *= 2) {
    if (t >= d) {
      to[t] = from[t] + from[t - d];
    } else {
      to[t] = from[t];
    }
    __syncthreads();  // the next step reads what this one wrote
    float* written = to;
    to = from;
    from = written;
  }

  if (i < n) sums[i] = exclusive == 0 ? from[t] : t > 0 ? from[t - 1] : 0.0f;
  if (t == kBlock - 1) totals[blockIdx.x] = from[t];
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
