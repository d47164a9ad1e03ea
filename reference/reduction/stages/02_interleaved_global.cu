// Rung 2: one tree per block, with doubling stride.
//
// A block reduces a segment of twice its size. Thread t owns element 2t of it; in each step it
// takes in the element one stride further on, and every second thread drops out. A barrier after
// each step, then the strides double. One launch now does nine steps of rung 1. But the threads
// that stay are spread over all warps, so warps run with 16, 8, 4, 2, 1 of 32 lanes (seven of the
// eight steps diverge for 256 elements), and their accesses spread just as far: each fetches
// sectors of which it uses 4 bytes.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kSegment = 2 * kBlock;  // elements a block reduces

// An operation: the value that changes nothing, and how two values become one.
struct Sum {
  static constexpr float kIdentity = 0.0f;
  static __device__ float combine(float a, float b) { return a + b; }
};
struct Min {
  static constexpr float kIdentity = INFINITY;
  static __device__ float combine(float a, float b) { return fminf(a, b); }
};
struct Max {
  static constexpr float kIdentity = -INFINITY;
  static __device__ float combine(float a, float b) { return fmaxf(a, b); }
};
struct Product {
  static constexpr float kIdentity = 1.0f;
  static __device__ float combine(float a, float b) { return a * b; }
};

// The result of each segment of `data`, which is used up.
template <class Op>
__global__ void reduce_segments(float* data, float* block_results, unsigned n) {
  const unsigned i = blockIdx.x * kSegment + 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= kBlock; stride *= 2) {
    // The last segment may be shorter: what has no partner stays as it is.
    if (threadIdx.x % stride == 0 && i + stride < n) {
      data[i] = Op::combine(data[i], data[i + stride]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = data[i];
}

unsigned ceil_div(unsigned a, unsigned b) {
  return (a + b - 1) / b;
}

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  if (n == 0) {
    const float identity = Op::kIdentity;
    CHECK(cudaMemcpy(result, &identity, sizeof(float), cudaMemcpyHostToDevice));
    return;
  }
  // The kernel overwrites what it reads, and the input is the caller's: work on a copy. Behind it
  // is room for one result per block; the two are swapped from launch to launch.
  float* scratch = nullptr;
  CHECK(cudaMalloc(&scratch, sizeof(float) * (n + ceil_div(n, kSegment))));
  CHECK(cudaMemcpy(scratch, values, sizeof(float) * n, cudaMemcpyDeviceToDevice));
  float* data = scratch;
  float* block_results = scratch + n;
  for (unsigned count = n; count > 1;) {
    const unsigned blocks = ceil_div(count, kSegment);
    reduce_segments<Op><<<blocks, kBlock>>>(data, block_results, count);
    CHECK(cudaGetLastError());
    std::swap(data, block_results);
    count = blocks;
  }
  CHECK(cudaMemcpy(result, data, sizeof(float), cudaMemcpyDeviceToDevice));
  CHECK(cudaFree(scratch));
}

void reduction(const float* values, float* result, int n, int op) {
  switch (op) {
    case kSum:
      return reduce<Sum>(values, result, n);
    case kMin:
      return reduce<Min>(values, result, n);
    case kMax:
      return reduce<Max>(values, result, n);
    case kProduct:
      return reduce<Product>(values, result, n);
  }
}
