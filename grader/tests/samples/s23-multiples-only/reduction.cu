#include "reduction.h"

#include <cuda_runtime.h>

// Every block takes 512 elements; block results go to scratch, and so on.
template <int kOp>
__global__ void step(const float* in, float* out) {
  __shared__ float s[256];
  const float x = in[blockIdx.x * 512 + threadIdx.x], y = in[blockIdx.x * 512 + threadIdx.x + 256];
  const auto join = [](float p, float q) {
    return kOp == 0 ? p + q : kOp == 1 ? fminf(p, q) : kOp == 2 ? fmaxf(p, q) : p * q;
  };
  s[threadIdx.x] = join(x, y);
  __syncthreads();
  for (unsigned d = 128; d > 0; d >>= 1) {
    if (threadIdx.x < d) s[threadIdx.x] = join(s[threadIdx.x], s[threadIdx.x + d]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <int kOp>
void reduce(const float* values, float* result, int n) {
  const int blocks = (n + 511) / 512;
  if (blocks <= 1) {
    step<kOp><<<1, 256>>>(values, result);
    return;
  }
  float* scratch;
  cudaMalloc(&scratch, blocks * sizeof(float));
  step<kOp><<<blocks, 256>>>(values, scratch);
  reduce<kOp>(scratch, result, blocks);
  cudaFree(scratch);
}

void reduction(const float* values, float* result, int n, int op) {
  if (op == 0) reduce<0>(values, result, n);
  if (op == 1) reduce<1>(values, result, n);
  if (op == 2) reduce<2>(values, result, n);
  if (op == 3) reduce<3>(values, result, n);
}
