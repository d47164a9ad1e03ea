// lab:     compaction
// does:    counts per block, adds the counts up on the host, and copies the places back
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <numeric>
#include <vector>

#include "compaction.h"

constexpr int kBlock = 512;

__global__ void count_positive(const int* values, int* counts, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int count = __syncthreads_count(i < n && values[i] > 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void move(const int* values, int* kept, const int* places, int n) {
  __shared__ int before_warp[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool keep = i < n && values[i] > 0;
  const unsigned votes = __ballot_sync(~0u, keep);
  if (threadIdx.x % 32 == 0) before_warp[threadIdx.x / 32] = __popc(votes);
  __syncthreads();
  int place = places[blockIdx.x] + __popc(votes & ((1u << threadIdx.x % 32) - 1));
  for (int w = 0; w < threadIdx.x / 32; ++w) place += before_warp[w];
  if (keep) kept[place] = values[i];
}

__global__ void store_count(int* count, const int* places, int blocks) {
  *count = places[blocks];
}

void compaction(const int* values, int* kept, int* count, int n) {
  const int blocks = (n + kBlock - 1) / kBlock;
  int* places;
  cudaMalloc(&places, (blocks + 1) * sizeof(int));
  std::vector<int> host(blocks + 1);
  if (n > 0) {
    count_positive<<<blocks, kBlock>>>(values, places, n);
    cudaMemcpy(host.data(), places, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(kept, 0, n * sizeof(int));
  }
  std::exclusive_scan(host.begin(), host.end(), host.begin(), 0);
  cudaMemcpy(places, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
  if (n > 0) move<<<blocks, kBlock>>>(values, kept, places, n);
  store_count<<<1, 1>>>(count, places, blocks);
  cudaFree(places);
}
