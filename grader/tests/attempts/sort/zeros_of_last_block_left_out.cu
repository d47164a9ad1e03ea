#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ bool is_zero(unsigned key, int bit) { return (key >> bit & 1) == 0; }

__global__ void count_zeros(const unsigned *keys, int *block_zeros, int n,
                            int bit) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int zeros = __syncthreads_count(i < n && is_zero(keys[i], bit));
  if (threadIdx.x == 0)
    block_zeros[blockIdx.x] = zeros;
}

// exclusive scan by one block of 1024 threads, as many rounds as needed
__global__ void scan_counts(int *block_zeros, int blocks, int *all_zeros) {
  __shared__ int part[1024];
  int before = 0;
  int last = 0;
  for (int first = 0; first < blocks; first += 1024) {
    const int b = first + threadIdx.x;
    const int own = b < blocks ? block_zeros[b] : 0;
    part[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      const int left = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
      __syncthreads();
      part[threadIdx.x] += left;
      __syncthreads();
    }
    const int exclusive = before + part[threadIdx.x] - own;
    if (b < blocks)
      block_zeros[b] = exclusive;
    if (b == blocks - 1)
      *all_zeros = exclusive;
    before += part[1023];
    __syncthreads();
  }
}

__global__ void split(const unsigned *from, unsigned *to,
                      const int *block_places, const int *all_zeros, int n,
                      int bit) {
  __shared__ int warp_zeros[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned key = i < n ? from[i] : 0;
  const bool zero = i < n && is_zero(key, bit);
  const unsigned flags = __ballot_sync(0xffffffff, zero);
  if (lane == 0)
    warp_zeros[warp] = __popc(flags);
  __syncthreads();
  int z = block_places[blockIdx.x] + __popc(flags & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w)
    z += warp_zeros[w];
  if (i >= n)
    return;
  to[zero ? z : *all_zeros + (i - z)] = key;
}

void sort(const unsigned *keys, unsigned *sorted, int n) {
  if (n == 0)
    return;
  const int blocks = (n + kBlock - 1) / kBlock;
  unsigned *scratch;
  int *counts;
  cudaMalloc(&scratch, n * sizeof(unsigned));
  cudaMalloc(&counts, (blocks + 1) * sizeof(int));
  int *all_zeros = counts + blocks;
  const unsigned *from = keys;
  for (int pass = 0; pass < 32; ++pass) {
    const int bit = pass;
    unsigned *to = pass % 2 == 0 ? scratch : sorted;
    count_zeros<<<blocks, kBlock>>>(from, counts, n, bit);
    scan_counts<<<1, 1024>>>(counts, blocks, all_zeros);
    split<<<blocks, kBlock>>>(from, to, counts, all_zeros, n, bit);
    from = to;
  }
  cudaFree(scratch);
  cudaFree(counts);
}
