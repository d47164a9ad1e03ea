#include "compaction.h"

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

__device__ int scan_block(int flag) {
  __shared__ int sums[kBlock];
  const int t = threadIdx.x;
  sums[t] = flag;
  __syncthreads();
  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int left = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += left;
    __syncthreads();
  }
  return sums[t];
}

__global__ void count_kept(const int* values, int* block_counts, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int sum = scan_block(i < n && values[i] != 0 ? 1 : 0);
  if (threadIdx.x == kBlock - 1) block_counts[blockIdx.x] = sum;
}

__global__ void scan_counts(int* block_counts, int blocks, int* count) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int own = block_counts[b];
    block_counts[b] = sum;
    sum += own;
  }
  *count = sum;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int value = i < n ? values[i] : 0;
  const int flag = value != 0 ? 1 : 0;
  const int place = block_places[blockIdx.x] + scan_block(flag) - flag;
  if (i >= n) return;
  if (flag) {
    kept[place] = value;
  } else {
    kept[n - 1 - (i - place)] = 0;
  }
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    CHECK(cudaMemset(count, 0, sizeof *count));
    return;
  }
  const int blocks = (n + kBlock - 1) / kBlock;
  int* block_counts = nullptr;
  CHECK(cudaMalloc(&block_counts, blocks * sizeof(int)));
  count_kept<<<blocks, kBlock>>>(values, block_counts, n);
  CHECK(cudaGetLastError());
  scan_counts<<<1, 1>>>(block_counts, blocks, count);
  CHECK(cudaGetLastError());
  move<<<blocks, kBlock>>>(values, block_counts, kept, n);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(block_counts));
}
