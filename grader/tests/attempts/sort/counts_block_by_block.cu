#include "sort.h"

#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kBits = 4;
constexpr int kDigits = 1 << kBits;

__global__ void count_digits(const unsigned* keys, int* counts, int n, int shift) {
  __shared__ int histogram[kDigits];
  if (threadIdx.x < kDigits) histogram[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i < n) atomicAdd(&histogram[(keys[i] >> shift) & (kDigits - 1)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[blockIdx.x * kDigits + threadIdx.x] = histogram[threadIdx.x];
}

// Exclusive scan of any number of counts by one block.
__global__ void scan_counts(int* counts, int length) {
  __shared__ int part[kThreads];
  int carry = 0;
  for (int first = 0; first < length; first += kThreads) {
    const int at = first + threadIdx.x;
    const int own = at < length ? counts[at] : 0;
    part[threadIdx.x] = own;
    __syncthreads();
    for (int d = 1; d < kThreads; d *= 2) {
      const int left = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
      __syncthreads();
      part[threadIdx.x] += left;
      __syncthreads();
    }
    if (at < length) counts[at] = carry + part[threadIdx.x] - own;
    carry += part[kThreads - 1];
    __syncthreads();
  }
}

__global__ void move_keys(const unsigned* from, unsigned* to, const int* counts, int n, int shift) {
  __shared__ int warp_digits[kThreads / 32][kDigits];
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  if (lane < kDigits) warp_digits[warp][lane] = 0;
  __syncwarp();
  const bool exists = i < n;
  const unsigned key = exists ? from[i] : 0;
  const unsigned digit = exists ? (key >> shift) & (kDigits - 1) : kDigits;
  const unsigned same = __match_any_sync(0xffffffff, digit);
  const int rank = __popc(same & ((1u << lane) - 1));
  if (exists && rank == 0) warp_digits[warp][digit] = __popc(same);
  __syncthreads();
  if (!exists) return;
  int place = counts[blockIdx.x * kDigits + digit] + rank;
  for (int w = 0; w < warp; ++w) place += warp_digits[w][digit];
  to[place] = key;
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int blocks = (n + kThreads - 1) / kThreads;
  unsigned* scratch = nullptr;
  int* counts = nullptr;
  if (cudaMalloc(&scratch, n * sizeof(unsigned)) != cudaSuccess) return;
  if (cudaMalloc(&counts, blocks * kDigits * sizeof(int)) != cudaSuccess) {
    cudaFree(scratch);
    return;
  }
  const unsigned* from = keys;
  for (int pass = 0; pass < 32 / kBits; ++pass) {
    unsigned* to = pass % 2 == 0 ? scratch : sorted;
    count_digits<<<blocks, kThreads>>>(from, counts, n, pass * kBits);
    scan_counts<<<1, kThreads>>>(counts, blocks * kDigits);
    move_keys<<<blocks, kThreads>>>(from, to, counts, n, pass * kBits);
    from = to;
  }
  cudaGetLastError();
  cudaFree(counts);
  cudaFree(scratch);
}
