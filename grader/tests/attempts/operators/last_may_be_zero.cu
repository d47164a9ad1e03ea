#include "operators.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

using Tagged = unsigned long long;

__global__ void begin(unsigned* result, Tagged* last, int op) {
  *result = op == kAnd || op == kMin ? 0xffffffffu : op == kAll ? 1 : 0;
  *last = 0;
}

__global__ void combine_all(const unsigned* values, unsigned* result, Tagged* last, int n, int op) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = values[i];
  switch (op) {
    case kAnd:
      atomicAnd(result, x);
      break;
    case kOr:
      atomicOr(result, x);
      break;
    case kXor:
      atomicXor(result, x);
      break;
    case kMin:
      atomicMin(result, x);
      break;
    case kAll:
      atomicAnd(result, x != 0 ? 1 : 0);
      break;
    case kAny:
      atomicOr(result, x != 0 ? 1 : 0);
      break;
    case kLast:
      atomicMax(last, (static_cast<Tagged>(i) + 1) << 32 | x);
      break;
  }
}

__global__ void take_value(unsigned* result, const Tagged* last) {
  *result = static_cast<unsigned>(*last);
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
  Tagged* last = nullptr;
  cudaMalloc(&last, sizeof(Tagged));
  begin<<<1, 1>>>(result, last, op);
  if (n > 0) combine_all<<<(n - 1) / kBlock + 1, kBlock>>>(values, result, last, n, op);
  if (op == kLast) take_value<<<1, 1>>>(result, last);
  cudaFree(last);
}
