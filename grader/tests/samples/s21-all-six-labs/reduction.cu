#include "reduction.h"

#include <cuda_runtime.h>

#include <cmath>

// Functors, two launches: partial results of up to 512 blocks, then one block over those.
struct Sum {
  static __host__ __device__ float start() { return 0.f; }
  __device__ float operator()(float x, float y) const { return x + y; }
};
struct Min {
  static __host__ __device__ float start() { return INFINITY; }
  __device__ float operator()(float x, float y) const { return fminf(x, y); }
};
struct Max {
  static __host__ __device__ float start() { return -INFINITY; }
  __device__ float operator()(float x, float y) const { return fmaxf(x, y); }
};
struct Product {
  static __host__ __device__ float start() { return 1.f; }
  __device__ float operator()(float x, float y) const { return x * y; }
};

template <class Op>
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float of_warp[32];
  Op op;
  float mine = Op::start();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mine = op(mine, in[i]);
  for (int d = 16; d > 0; d >>= 1) mine = op(mine, __shfl_xor_sync(~0u, mine, d));
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp != 0) return;
  mine = lane < warps ? of_warp[lane] : Op::start();
  for (int d = 16; d > 0; d >>= 1) mine = op(mine, __shfl_xor_sync(~0u, mine, d));
  if (lane == 0) out[blockIdx.x] = mine;
}

template <class Op>
static void run(const float* values, float* result, int n) {
  const int threads = 256;
  int blocks = (n + threads * 4 - 1) / (threads * 4);
  blocks = blocks < 1 ? 1 : blocks > 512 ? 512 : blocks;
  if (blocks == 1) {
    reduce<Op><<<1, threads>>>(values, result, n);
    return;
  }
  float* partial = nullptr;
  if (cudaMalloc(&partial, blocks * sizeof(float)) != cudaSuccess) return;
  reduce<Op><<<blocks, threads>>>(values, partial, n);
  reduce<Op><<<1, threads>>>(partial, result, blocks);
  cudaFree(partial);
}

void reduction(const float* values, float* result, int n, int op) {
  switch (op) {
    case 0: run<Sum>(values, result, n); break;
    case 1: run<Min>(values, result, n); break;
    case 2: run<Max>(values, result, n); break;
    default: run<Product>(values, result, n); break;
  }
}
