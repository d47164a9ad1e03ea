#include "scan.h"

#include <cuda_runtime.h>

#include <vector>

// Kogge-Stone with two arrays, one barrier per step.
constexpr int B = 256;

__global__ void scan_part(const float* in, float* out, float* total, int n, int exclusive) {
  __shared__ float buffer[2][B];
  int now = 0;
  const int me = threadIdx.x;
  const long long at = (long long)blockIdx.x * B + me;

  float mine = 0;
  if (at < n) mine = in[at];
  buffer[now][me] = mine;
  __syncthreads();

  for (int distance = 1; distance < B; distance <<= 1) {
    if (me >= distance) {
      buffer[1 - now][me] = buffer[now][me] + buffer[now][me - distance];
    }
    now = 1 - now;
    __syncthreads();
  }

  if (at < n) {
    if (!exclusive)
      out[at] = buffer[now][me];
    else
      out[at] = me > 0 ? buffer[now][me - 1] : 0.0f;
  }
  if (me == B - 1 && total != nullptr) total[blockIdx.x] = buffer[now][me];
}

__global__ void add_offset(float* out, const float* offset, int n) {
  const long long at = (long long)blockIdx.x * B + threadIdx.x;
  if (at < n) out[at] += offset[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  const int blocks = (n - 1) / B + 1;
  if (blocks == 1) {
    scan_part<<<1, B>>>(values, sums, nullptr, n, exclusive);
    (void)cudaGetLastError();
    return;
  }
  float *totals, *offsets;
  if (cudaMalloc(&totals, blocks * sizeof(float)) != cudaSuccess) return;
  if (cudaMalloc(&offsets, blocks * sizeof(float)) != cudaSuccess) {
    cudaFree(totals);
    return;
  }
  scan_part<<<blocks, B>>>(values, sums, totals, n, exclusive);
  scan(totals, offsets, blocks, 1);
  add_offset<<<blocks, B>>>(sums, offsets, n);
  (void)cudaGetLastError();
  cudaFree(totals);
  cudaFree(offsets);
}
