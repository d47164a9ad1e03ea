#include "pair.h"

// Loads that compilers make read-only (ld.global.nc), of what the same kernel writes.

namespace {

constexpr int kCount = 256;
constexpr int kBlock = 64;

/// A sum of prefixes in one block, with barriers on both sides of each store.
__global__ void prefix_sums(const int* __restrict__ in, int* __restrict__ out) {
  const int i = static_cast<int>(threadIdx.x);
  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int before = i >= distance ? in[i - distance] : 0;  // expect: read-only-written P61
    __syncthreads();
    out[i] += before;
    __syncthreads();
  }
}

/// The same element, read again by the thread that wrote it.
__global__ void update_twice(int* values) {
  const int i = static_cast<int>(threadIdx.x);
  values[i] = 1;
  values[i] = 2 + __ldg(values + i);  // expect: read-only-written P61
}

/// One byte of a word.
__global__ void store_byte(const unsigned char* __restrict__ in, unsigned char* __restrict__ out) {
  const int i = static_cast<int>(threadIdx.x);
  out[4 * i + 1] = 1;
  __syncthreads();
  out[4 * i + 2] = in[4 * i + 1];  // expect: read-only-written P61
}

/// What an atomic changes, by a pointer in a structure.
struct Counters {
  int* counts;
  const int* limits;
};
__global__ void count_up(Counters counters) {
  atomicAdd(counters.counts + threadIdx.x / 2, 1);
  __syncthreads();
  counters.counts[kBlock + threadIdx.x] =
      __ldg(counters.limits + threadIdx.x / 2);  // expect: read-only-written P61
}

// -- nothing is wrong with these ------------------------------------------------------------------

/// Called in place: each thread reads its own element and then writes it.
__global__ void twice(const int* __restrict__ in, int* __restrict__ out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = 2 * in[i];
}

/// The bytes beside those that are written.
__global__ void odd_bytes(const unsigned char* __restrict__ in, unsigned char* __restrict__ out) {
  const int i = static_cast<int>(threadIdx.x);
  out[2 * i + 1] = in[2 * ((i + 7) % kBlock)];
}

/// A load that makes no promise.
__global__ void plain_load(int* values) {
  const int i = static_cast<int>(threadIdx.x);
  values[i] = 1;
  values[i] = 2 + *const_cast<volatile int*>(values + i);
}

}  // namespace

void bug() {
  int* values = zeros<int>(kCount);
  auto* bytes = zeros<unsigned char>(4 * kBlock);
  prefix_sums<<<1, kBlock>>>(values, values);
  update_twice<<<1, kBlock>>>(values);
  store_byte<<<1, kBlock>>>(bytes, bytes);
  count_up<<<1, kBlock>>>({values, values});
  finish();
  release(values, bytes);
}

void clean() {
  int* values = zeros<int>(kCount);
  int* others = zeros<int>(kCount);
  auto* bytes = zeros<unsigned char>(4 * kBlock);
  auto* other_bytes = zeros<unsigned char>(4 * kBlock);
  prefix_sums<<<1, kBlock>>>(values, others);
  // What one launch writes, the next one may read.
  prefix_sums<<<1, kBlock>>>(others, values);
  // Halves of one array.
  prefix_sums<<<1, kBlock>>>(values, values + kBlock);
  store_byte<<<1, kBlock>>>(bytes, other_bytes);
  count_up<<<1, kBlock>>>({values, others});
  twice<<<kCount / kBlock, kBlock>>>(values, values);
  odd_bytes<<<1, kBlock>>>(bytes, bytes);
  plain_load<<<1, kBlock>>>(values);
  finish();
  release(values, others, bytes, other_bytes);
}
