#include "buckets.h"

__global__ void count(const std::uint32_t* keys, int* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[keys[i] % 8], 1);
}

__global__ void sum_up(const int* counts, int* offsets, int* next) {
  int sum = 0;
  for (int bucket = 0; bucket < 8; ++bucket) {
    offsets[bucket] = sum;
    next[bucket] = sum;
    sum += counts[bucket];
  }
  offsets[8] = sum;
}

// Blocks store in the order of their atomics, and shuffled is reversed: both orders are free.
__global__ void store(const std::uint32_t* keys, int* next, int* members, std::uint32_t* shuffled,
                      int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    members[atomicAdd(&next[keys[n - 1 - i] % 8], 1)] = n - 1 - i;
    shuffled[n - 1 - i] = keys[i];
  }
}

void buckets(const std::uint32_t* keys, int* offsets, int* members, std::uint32_t* shuffled,
             int n) {
  int* counts = nullptr;
  cudaMalloc(&counts, 16 * sizeof(int));
  cudaMemset(counts, 0, 16 * sizeof(int));
  const int blocks = (n + 255) / 256;
  count<<<blocks, 256>>>(keys, counts, n);
  sum_up<<<1, 1>>>(counts, offsets, counts + 8);
  store<<<blocks, 256>>>(keys, counts + 8, members, shuffled, n);
  cudaFree(counts);
}
