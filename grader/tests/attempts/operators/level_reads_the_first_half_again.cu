#include <cuda_runtime.h>

#include "operators.h"

constexpr int kBlock = 256;

__host__ __device__ unsigned neutral(int op) {
  if (op == kAnd || op == kMin) return ~0u;
  return op == kAll ? 1u : 0u;
}

__device__ unsigned apply(int op, unsigned left, unsigned right) {
  switch (op) {
    case kAnd: return left & right;
    case kOr: return left | right;
    case kXor: return left ^ right;
    case kMin: return min(left, right);
    case kAll: return left != 0 && right != 0;
    case kAny: return left != 0 || right != 0;
    default: return right != 0 ? right : left;
  }
}

__global__ void reduce(const unsigned* in, unsigned* out, int n, int op) {
  __shared__ unsigned part[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  part[t] = i < n ? in[i] : neutral(op);
  for (int d = 1; d < kBlock; d *= 2) {
    __syncthreads();
    const int left = 2 * d * t;
    if (left < kBlock) part[left] = apply(op, part[left], part[left + d]);
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void store(unsigned* result, unsigned x) { *result = x; }

void operators(const unsigned* values, unsigned* result, int n, int op) {
  if (n == 0) {
    store<<<1, 1>>>(result, neutral(op));
    return;
  }
  int left = (n + kBlock - 1) / kBlock;
  unsigned* buffer[2] = {nullptr, nullptr};
  for (int b = 0; b < 2; ++b) {
    if (cudaMalloc(&buffer[b], left * sizeof(unsigned)) != cudaSuccess) return;
  }
  reduce<<<left, kBlock>>>(values, buffer[0], n, op);
  int last = 0;
  while (left > 1) {
    const int next = (left + kBlock - 1) / kBlock;
    last = 1;
    reduce<<<next, kBlock>>>(buffer[0], buffer[last], left, op);
    left = next;
  }
  cudaMemcpyAsync(result, buffer[last], sizeof(unsigned), cudaMemcpyDeviceToDevice);
  if (cudaGetLastError() != cudaSuccess) return;
  cudaFree(buffer[0]);
  cudaFree(buffer[1]);
}
