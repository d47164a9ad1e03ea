// Rung 8: the blocks' results meet in an atomic.
//
// Instead of another launch for the blocks' results, thread 0 of each block combines its own into
// *result atomically: one atomic per block, ceil(n / 512) in all, which the second level cache
// serves one after the other. *result must hold the identity before, so a kernel of one thread
// comes first. In which order the blocks arrive is open: a float sum may differ in its last bits
// from run to run.
#include "reduction.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kSegment = 2 * kBlock;  // values a block reduces

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

// For operations without an atomic of their own on floats: replaces *target by its combination with
// `value`, unless another block was faster; then again with what that block left there.
template <class Op>
__device__ void combine_atomically(Op, float* target, float value) {
  int* bits = reinterpret_cast<int*>(target);
  int expected = __float_as_int(Op::kIdentity);
  while (true) {
    const float combined = Op::combine(__int_as_float(expected), value);
    const int found = atomicCAS(bits, expected, __float_as_int(combined));
    if (found == expected) return;
    expected = found;
  }
}

__device__ void combine_atomically(Sum, float* target, float value) {
  atomicAdd(target, value);
}

template <class Op>
__global__ void set_to_identity(float* result) {
  *result = Op::kIdentity;
}

// Combines the values of each segment, and the segments in *result, which holds the identity.
template <class Op>
__global__ void reduce_segments(const float* values, float* result, unsigned n) {
  __shared__ float cache[kBlock];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * kSegment + t;
  const float first = i < n ? values[i] : Op::kIdentity;
  const float second = i + kBlock < n ? values[i + kBlock] : Op::kIdentity;
  cache[t] = Op::combine(first, second);
  __syncthreads();
  for (unsigned stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) cache[t] = Op::combine(cache[t], cache[t + stride]);
    __syncthreads();
  }
  if (t == 0) combine_atomically(Op{}, result, cache[0]);
}

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  set_to_identity<Op><<<1, 1>>>(result);
  CHECK(cudaGetLastError());
  if (n == 0) return;  // a grid of no blocks is an error
  reduce_segments<Op><<<(n + kSegment - 1) / kSegment, kBlock>>>(values, result, n);
  CHECK(cudaGetLastError());
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
