// Rung 5: warps scan in registers.
//
// The lanes of a warp can read each other's registers: five shuffles scan 32 elements without
// shared memory and without a barrier. What is left for shared memory is one sum per warp: eight
// numbers, which the first warp scans in the same way.
// Cost: two barriers per block instead of nine or seventeen, up to 5 additions per element in a
// warp.
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
constexpr int kWarps = kBlock / 32;
constexpr unsigned kAllLanes = 0xffffffffu;

// Inclusive scan over the 32 lanes of a warp: Kogge-Stone through registers.
__device__ float scan_warp(float x, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    const float left = __shfl_up_sync(kAllLanes, x, d);  // every lane takes part ...
    if (lane >= d) x += left;  // ... but the first d have nobody in front of them
  }
  return x;
}

// Scans each block's elements by themselves. totals[b] becomes the sum of block b.
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float own = i < n ? values[i] : 0.0f;

  const float inclusive = scan_warp(own, lane);
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();

  // The first warp scans the warps' sums; lanes beyond the number of warps bring 0.
  if (warp == 0) {
    const float sum = scan_warp(lane < kWarps ? warp_sums[lane] : 0.0f, lane);
    if (lane < kWarps) warp_sums[lane] = sum;
  }
  __syncthreads();

  // In front of this thread: the warps before its own, and the lanes before it in its warp.
  const float warps_before = warp > 0 ? warp_sums[warp - 1] : 0.0f;
  const float lane_before = __shfl_up_sync(kAllLanes, inclusive, 1);
  const float before = lane > 0 ? lane_before : 0.0f;
  if (i < n) sums[i] = warps_before + (exclusive == 0 ? inclusive : before);
  if (threadIdx.x == kBlock - 1) totals[blockIdx.x] = warps_before + inclusive;
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
