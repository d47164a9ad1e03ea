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

__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
  __shared__ float temp[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;

  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();

  for (int d = 1; d < kBlock; d *= 2) {
    const float left = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();
    if (t >= d) temp[t] += left;
    __syncthreads();
  }

  if (i < n) sums[i] = exclusive == 0 ? temp[t] : t > 0 ? temp[t - 1] : 0.0f;
  if (t == kBlock - 1) totals[blockIdx.x] = temp[t];
}

__global__ void add_before(float* sums, const float* before, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) sums[i] += before[blockIdx.x];
}

int blocks_for(int n) {
  return (n + kBlock - 1) / kBlock;
}

int scratch_floats(int n) {
  const int blocks = blocks_for(n);
  return blocks == 1 ? 1 : 2 * blocks + scratch_floats(blocks);
}

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
  scan_level(values, sums, n, exclusive == 0, scratch);
  CHECK(cudaFree(scratch));
}
