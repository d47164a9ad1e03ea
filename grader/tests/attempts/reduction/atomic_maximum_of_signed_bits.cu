#include <cuda_runtime.h>
#include <math.h>

#include "reduction.h"

__device__ float op_of(float a, float b, int op) {
  switch (op) {
    case kSum: return a + b;
    case kMin: return a < b ? a : b;
    case kMax: return a > b ? a : b;
    default: return a * b;
  }
}

__host__ __device__ float start_of(int op) {
  switch (op) {
    case kSum: return 0.0f;
    case kMin: return INFINITY;
    case kMax: return -INFINITY;
    default: return 1.0f;
  }
}

// result = result op x, by all blocks
__device__ void merge(float* result, float x, int op) {
  if (op == kSum) {
    atomicAdd(result, x);
  } else if (op == kMin) {
    atomicMin((int*)result, __float_as_int(x));
  } else if (op == kMax) {
    atomicMax((int*)result, __float_as_int(x));
  } else {
    int* address = (int*)result;
    int old = *(volatile int*)address;
    int assumed;
    do {
      assumed = old;
      old = atomicCAS(address, assumed, __float_as_int(__int_as_float(assumed) * x));
    } while (old != assumed);
  }
}

__global__ void set(float* result, float x) { *result = x; }

__global__ void reduce_all(const float* values, float* result, int n, int op) {
  float mine = start_of(op);
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) mine = op_of(mine, values[i], op);
  for (int d = 16; d > 0; d /= 2) mine = op_of(mine, __shfl_down_sync(0xffffffff, mine, d), op);
  __shared__ float warps[8];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) mine = op_of(mine, warps[w], op);
    merge(result, mine, op);
  }
}

void reduction(const float* values, float* result, int n, int op) {
  set<<<1, 1>>>(result, start_of(op));
  if (n > 0) {
    int blocks = (n + 2047) / 2048;
    reduce_all<<<blocks, 256>>>(values, result, n, op);
  }
  if (cudaGetLastError() != cudaSuccess) return;
}
