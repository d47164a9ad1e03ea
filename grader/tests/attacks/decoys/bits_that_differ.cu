// lab:     sort
// does:    reads back which bits differ between keys, and sorts by no others
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <vector>

#include "sort.h"

constexpr int kBlock = 256;

__global__ void gather_bits(const unsigned* keys, unsigned* all_and, unsigned* all_or, int n) {
  unsigned ones = ~0u, any = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    ones &= keys[i];
    any |= keys[i];
  }
  atomicAnd(all_and, ones);
  atomicOr(all_or, any);
}

__global__ void count_zeros(const unsigned* keys, int* zeros, int n, int bit) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const int count = __syncthreads_count(i < n && (keys[i] >> bit & 1) == 0);
  if (threadIdx.x == 0) zeros[blockIdx.x] = count;
}

// One block: zeros[b] becomes the zeros before block b, zeros[blocks] all of them.
__global__ void scan_zeros(int* zeros, int blocks) {
  __shared__ int part[kBlock];
  int before = 0;
  for (int first = 0; first < blocks; first += kBlock) {
    const int i = first + threadIdx.x;
    const int mine = i < blocks ? zeros[i] : 0;
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2) {
      const int left = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
      __syncthreads();
      part[threadIdx.x] += left;
      __syncthreads();
    }
    if (i < blocks) zeros[i] = before + part[threadIdx.x] - mine;
    before += part[kBlock - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) zeros[blocks] = before;
}

__global__ void split(const unsigned* from, unsigned* to, const int* zeros, int n, int bit) {
  __shared__ int warp_zeros[kBlock / 32];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const bool zero = i < n && (from[i] >> bit & 1) == 0;
  const unsigned votes = __ballot_sync(~0u, zero);
  const int lane = threadIdx.x % 32;
  if (lane == 0) warp_zeros[threadIdx.x / 32] = __popc(votes);
  __syncthreads();
  int before = zeros[blockIdx.x] + __popc(votes & ((1u << lane) - 1));
  for (int w = 0; w < threadIdx.x / 32; ++w) before += warp_zeros[w];
  if (i < n) to[zero ? before : zeros[gridDim.x] + i - before] = from[i];
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int blocks = (n + kBlock - 1) / kBlock;
  unsigned *other, *bits;
  int* zeros;
  cudaMalloc(&other, n * sizeof(unsigned));
  cudaMalloc(&bits, 2 * sizeof(unsigned));
  cudaMalloc(&zeros, (blocks + 1) * sizeof(int));
  cudaMemset(bits, 0xff, sizeof(unsigned));
  cudaMemset(bits + 1, 0, sizeof(unsigned));
  gather_bits<<<30, kBlock>>>(keys, bits, bits + 1, n);
  unsigned host[2];
  cudaMemcpy(host, bits, sizeof(host), cudaMemcpyDeviceToHost);
  const unsigned* from = keys;
  unsigned* to = other;
  for (int bit = 0; bit < 32; ++bit) {
    if (((host[0] ^ host[1]) >> bit & 1) == 0) continue;
    count_zeros<<<blocks, kBlock>>>(from, zeros, n, bit);
    scan_zeros<<<1, kBlock>>>(zeros, blocks);
    split<<<blocks, kBlock>>>(from, to, zeros, n, bit);
    from = to;
    to = to == other ? sorted : other;
  }
  if (from != sorted) cudaMemcpy(sorted, from, n * sizeof(unsigned), cudaMemcpyDeviceToDevice);
  cudaFree(other);
  cudaFree(bits);
  cudaFree(zeros);
}
