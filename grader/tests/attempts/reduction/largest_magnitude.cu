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
  static __device__ float combine(float a, float b) { return fmaxf(fabsf(a), fabsf(b)); }
};
struct Product {
  static constexpr float kIdentity = 1.0f;
  static __device__ float combine(float a, float b) { return a * b; }
};

template <class Op>
__global__ void combine_halves(float* data, unsigned half, unsigned count) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (i + half < count) data[i] = Op::combine(data[i], data[i + half]);
}

template <class Op>
void reduce(const float* values, float* result, unsigned n) {
  if (n == 0) {
    const float identity = Op::kIdentity;
    CHECK(cudaMemcpy(result, &identity, sizeof(float), cudaMemcpyHostToDevice));
    return;
  }
  float* data = nullptr;
  CHECK(cudaMalloc(&data, sizeof(float) * n));
  CHECK(cudaMemcpy(data, values, sizeof(float) * n, cudaMemcpyDeviceToDevice));
  for (unsigned count = n; count > 1;) {
    const unsigned half = (count + 1) / 2;
    combine_halves<Op><<<(half + kBlock - 1) / kBlock, kBlock>>>(data, half, count);
    CHECK(cudaGetLastError());
    count = half;
  }
  CHECK(cudaMemcpy(result, data, sizeof(float), cudaMemcpyDeviceToDevice));
  CHECK(cudaFree(data));
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
