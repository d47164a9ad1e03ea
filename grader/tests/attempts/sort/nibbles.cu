#include "sort.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

void must(cudaError_t e, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "sort.cu:%d: %s\n", line, cudaGetErrorString(e));
  std::exit(1);
}
#define MUST(x) must((x), __LINE__)

constexpr int kBlock = 128;
constexpr int kDigits = 16;  // four bits per pass, eight passes

__device__ int digit_of(unsigned key, int shift) { return key >> shift & (kDigits - 1); }

__global__ void count_digits(const unsigned* keys, int* counts, int n, int shift) {
  __shared__ int own[kDigits];
  if (threadIdx.x < kDigits) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) atomicAdd(&own[digit_of(keys[i], shift)], 1);
  __syncthreads();
  if (threadIdx.x < kDigits) counts[blockIdx.x * kDigits + threadIdx.x] = own[threadIdx.x];
}

__global__ void exclusive_scan(int* counts, int length) {
  int sum = 0;
  for (int i = 0; i < length; ++i) {
    const int c = counts[i];
    counts[i] = sum;
    sum += c;
  }
}

__global__ void scatter(const unsigned* from, unsigned* to, const int* places, int n, int shift) {
  __shared__ int digits[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const unsigned key = i < n ? from[i] : 0;
  const int digit = i < n ? digit_of(key, shift) : -1;
  digits[threadIdx.x] = digit;
  __syncthreads();
  if (i >= n) return;
  // How many keys of this block with my digit are before me? (keeps the order)
  int rank = 0;
  for (unsigned t = 0; t < threadIdx.x; ++t) rank += digits[t] == digit;
  to[places[blockIdx.x * kDigits + digit] + rank] = key;
}

}  // namespace

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / kBlock + 1;
  unsigned* other;
  int* counts;
  MUST(cudaMalloc(&other, sizeof(unsigned) * n));
  MUST(cudaMalloc(&counts, sizeof(int) * blocks * kDigits));

  const unsigned* from = keys;
  for (int pass = 0; pass < 8; ++pass) {
    unsigned* const to = pass % 2 == 0 ? other : sorted;
    count_digits<<<blocks, kBlock>>>(from, counts, n, 4 * pass);
    MUST(cudaGetLastError());
    exclusive_scan<<<1, 1>>>(counts, blocks * kDigits);
    MUST(cudaGetLastError());
    scatter<<<blocks, kBlock>>>(from, to, counts, n, 4 * pass);
    MUST(cudaGetLastError());
    from = to;
  }
  MUST(cudaFree(counts));
  MUST(cudaFree(other));
}
