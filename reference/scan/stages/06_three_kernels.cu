// Rung 6: three kernels, whatever n is.
//
// The recursion of the rungs before costs two launches per level, and at the upper levels a launch
// takes longer than its work. The totals are few, so one block can scan all of them: it goes
// through them in pieces as long as the block and carries the sum on from piece to piece. No number
// of totals is too large for it.
// Cost: every element is read and written twice (block scan, adding back), as before.
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
constexpr int kWide = 1024;  // threads of the one block that scans the totals

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

// One block: before[b] becomes totals[0] + ... + totals[b-1].
__global__ void scan_totals(const float* totals, float* before, int count) {
  __shared__ float warp_sums[kWide / 32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  float carry = 0.0f;  // the sum of all pieces so far; every thread keeps the same
  for (int begin = 0; begin < count; begin += kWide) {
    const int i = begin + threadIdx.x;
    const float own = i < count ? totals[i] : 0.0f;
    const float inclusive = scan_warp(own, lane);
    if (lane == 31) warp_sums[warp] = inclusive;
    __syncthreads();
    if (warp == 0) warp_sums[lane] = scan_warp(warp_sums[lane], lane);  // 32 warps, 32 lanes
    __syncthreads();
    const float lane_before = __shfl_up_sync(kAllLanes, inclusive, 1);
    const float warps_before = warp > 0 ? warp_sums[warp - 1] : 0.0f;
    if (i < count) before[i] = carry + warps_before + (lane > 0 ? lane_before : 0.0f);
    carry += warp_sums[kWide / 32 - 1];
    __syncthreads();  // all have read the sums before the next piece overwrites them
  }
}

// Adds to each element the sum of all blocks before its own; for block 0 that is 0.
__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  float* totals;
  float* before;
  CHECK(cudaMalloc(&totals, blocks * sizeof(float)));
  CHECK(cudaMalloc(&before, blocks * sizeof(float)));
  scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
  CHECK(cudaGetLastError());
  if (blocks > 1) {
    scan_totals<<<1, kWide>>>(totals, before, blocks);
    CHECK(cudaGetLastError());
    add_before<<<blocks, kBlock>>>(sums, before, n);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaFree(totals));
  CHECK(cudaFree(before));
}
