// lab:     scan
// does:    scans with CUB's block scan, which this lab does not allow: flagged, and no point lost
// becomes: kept
// flag:    library
// needs:   nvcc

#include <cuda_runtime.h>

#include <cub/block/block_scan.cuh>

#include "scan.h"

constexpr int kBlock = 1024;

// One block walks over all tiles, and remembers the sum of those before.
__global__ void scan_tiles(const float* values, float* sums, int n, int exclusive) {
  using Scan = cub::BlockScan<float, kBlock>;
  __shared__ typename Scan::TempStorage storage;
  float before = 0;
  for (int first = 0; first < n; first += kBlock) {
    const int i = first + threadIdx.x;
    float inclusive, total;
    const float mine = i < n ? values[i] : 0;
    Scan(storage).InclusiveSum(mine, inclusive, total);
    __syncthreads();  // before the storage is used again
    if (exclusive == 0 && i < n) sums[i] = before + inclusive;
    if (exclusive != 0 && i + 1 < n) sums[i + 1] = before + inclusive;
    before += total;
  }
  if (exclusive != 0 && threadIdx.x == 0) sums[0] = 0;
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  scan_tiles<<<1, kBlock>>>(values, sums, n, exclusive);
}
