// lab:     reduction
// tries:   honest: partial results are copied to the host, which combines them
// fails:   none
// flags:   none

#include <cuda_runtime.h>

#include <cmath>
#include <vector>

#include "reduction.h"

constexpr int kBlock = 256;
constexpr int kBlocks = 1024;

static __host__ __device__ float combine(float a, float b, int op) {
  if (op == kSum) return a + b;
  if (op == kProduct) return a * b;
  return op == kMin ? fminf(a, b) : fmaxf(a, b);
}

static __host__ __device__ float identity(int op) {
  return op == kSum ? 0.0f : op == kProduct ? 1.0f : op == kMin ? INFINITY : -INFINITY;
}

__global__ void partial_results(const float* values, float* partial, int n, int op) {
  __shared__ float tree[kBlock];
  float own = identity(op);
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    own = combine(own, values[i], op);
  }
  tree[threadIdx.x] = own;
  for (int half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      tree[threadIdx.x] = combine(tree[threadIdx.x], tree[threadIdx.x + half], op);
    }
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = tree[0];
}

void reduction(const float* values, float* result, int n, int op) {
  float* partial = nullptr;
  cudaMalloc(&partial, kBlocks * sizeof(float));
  partial_results<<<kBlocks, kBlock>>>(values, partial, n, op);
  std::vector<float> parts(kBlocks);
  cudaMemcpy(parts.data(), partial, kBlocks * sizeof(float), cudaMemcpyDeviceToHost);
  float all = identity(op);
  for (const float part : parts) all = combine(all, part, op);
  cudaMemcpy(result, &all, sizeof all, cudaMemcpyHostToDevice);
  cudaFree(partial);
}
