#include "reduction.h"

#include <cuda_runtime.h>

#include <cmath>

// One block, pairs at growing distance.
__global__ void reduce(const float* values, float* result, int n, int op, float identity) {
  __shared__ float s[1024];
  float mine = identity;
  for (int i = threadIdx.x; i < n; i += 1024) {
    float v = values[i];
    mine = op == 0 ? mine + v : op == 1 ? fminf(mine, v) : op == 2 ? fmaxf(mine, v) : mine * v;
  }
  s[threadIdx.x] = mine;
  for (int d = 1; d < 1024; d *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * d) == 0) {
      float x = s[threadIdx.x], y = s[threadIdx.x + d];
      s[threadIdx.x] = op == 0 ? x + y : op == 1 ? fminf(x, y) : op == 2 ? fmaxf(x, y) : x * y;
    }
  }
  if (threadIdx.x == 0) *result = s[0];
}

void reduction(const float* values, float* result, int n, int op) {
  const float identities[] = {0.0f, INFINITY, -INFINITY, 1.0f};
  reduce<<<1, 1024>>>(values, result, n, op, identities[op]);
}
