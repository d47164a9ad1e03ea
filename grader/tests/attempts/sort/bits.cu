#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void count_zeros(const unsigned* keys, int* zeros, int n, int bit) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool zero = i < n && (keys[i] >> bit & 1u) == 0;
  const unsigned lanes = __ballot_sync(0xffffffff, zero);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, __popc(lanes));
  __syncthreads();
  if (threadIdx.x == 0) zeros[blockIdx.x] = total;
}

__global__ void scan_counts(int* zeros, int blocks, int* all) {
  int sum = 0;
  for (int b = 0; b < blocks; ++b) {
    const int z = zeros[b];
    zeros[b] = sum;
    sum += z;
  }
  *all = sum;
}

__global__ void split(const unsigned* from, unsigned* to, const int* zeros_before, const int* all,
                      int n, int bit) {
  __shared__ int warp_zeros[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const unsigned key = i < n ? from[i] : 0u;
  const bool zero = i < n && (key >> bit & 1u) == 0;
  const unsigned lanes = __ballot_sync(0xffffffff, zero);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) warp_zeros[warp] = __popc(lanes);
  __syncthreads();
  int z = zeros_before[blockIdx.x] + __popc(lanes & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) z += warp_zeros[w];
  if (i < n) to[zero ? z : *all + (i - z)] = key;
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;

  unsigned* scratch = nullptr;
  int* counts = nullptr;  // one per block, and the number of all zeros at the end
  if (cudaMalloc(&scratch, n * sizeof(unsigned)) != cudaSuccess) return;
  if (cudaMalloc(&counts, (blocks + 1) * sizeof(int)) != cudaSuccess) {
    cudaFree(scratch);
    return;
  }

  const unsigned* from = keys;
  unsigned* to = scratch;
  // Start with the bit that matters most.
  for (int bit = 31; bit >= 0; --bit) {
    count_zeros<<<blocks, kBlock>>>(from, counts, n, bit);
    scan_counts<<<1, 1>>>(counts, blocks, counts + blocks);
    split<<<blocks, kBlock>>>(from, to, counts, counts + blocks, n, bit);
    if (cudaGetLastError() != cudaSuccess) break;
    from = to;
    to = to == scratch ? sorted : scratch;
  }
  cudaFree(counts);
  cudaFree(scratch);
}
