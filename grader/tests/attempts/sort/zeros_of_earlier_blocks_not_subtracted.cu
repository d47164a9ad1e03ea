#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// How many keys of each block have a 0 in one bit.
__global__ void count_zeros(const unsigned* keys, int* block_zeros, int n, int bit) {
  __shared__ int zeros;
  if (threadIdx.x == 0) zeros = 0;
  __syncthreads();
  int i = blockIdx.x * kBlock + threadIdx.x;
  unsigned flags = __ballot_sync(0xffffffff, i < n && (keys[i] >> bit & 1) == 0);
  if (threadIdx.x % 32 == 0) atomicAdd(&zeros, __popc(flags));
  __syncthreads();
  if (threadIdx.x == 0) block_zeros[blockIdx.x] = zeros;
}

// One block of 1024 threads; a running sum for more than 1024 counts.
__global__ void scan_counts(int* block_zeros, int blocks, int* all_zeros) {
  __shared__ int temp[1024];
  int t = threadIdx.x;
  int before = 0;
  for (int base = 0; base < blocks; base += 1024) {
    int own = base + t < blocks ? block_zeros[base + t] : 0;
    temp[t] = own;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      int left = t >= d ? temp[t - d] : 0;
      __syncthreads();
      temp[t] += left;
      __syncthreads();
    }
    if (base + t < blocks) block_zeros[base + t] = before + temp[t] - own;
    before += temp[1023];
    __syncthreads();
  }
  if (t == 0) *all_zeros = before;
}

__global__ void split(const unsigned* from, unsigned* to, const int* block_places,
                      const int* all_zeros, int n, int bit) {
  __shared__ int warp_zeros[kBlock / 32];
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  unsigned key = i < n ? from[i] : 0;
  bool zero = i < n && (key >> bit & 1) == 0;
  unsigned flags = __ballot_sync(0xffffffff, zero);
  if (t % 32 == 0) warp_zeros[t / 32] = __popc(flags);
  __syncthreads();

  int in_block = __popc(flags & ((1u << t % 32) - 1));
  for (int w = 0; w < t / 32; ++w) in_block += warp_zeros[w];
  int z = block_places[blockIdx.x] + in_block;  // zeros before this key
  if (i < n) {
    if (zero)
      to[z] = key;
    else
      to[*all_zeros + i - in_block] = key;
  }
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  int* counts;
  unsigned* scratch;
  cudaMalloc(&counts, (blocks + 1) * sizeof(int));
  cudaMalloc(&scratch, n * sizeof(unsigned));
  const unsigned* from = keys;
  for (int bit = 0; bit < 32; ++bit) {
    unsigned* to = bit % 2 == 0 ? scratch : sorted;
    count_zeros<<<blocks, kBlock>>>(from, counts, n, bit);
    scan_counts<<<1, 1024>>>(counts, blocks, counts + blocks);
    split<<<blocks, kBlock>>>(from, to, counts, counts + blocks, n, bit);
    if (cudaGetLastError() != cudaSuccess) break;
    from = to;
  }
  cudaFree(counts);
  cudaFree(scratch);
}
