#include <cuda_runtime.h>

#include <utility>

#include "scan.h"

constexpr int kBlock = 256;

struct PingPong {
  float data[2][kBlock];
};

// Inclusive scan of one value per thread; each step reads one half and writes the other.
__device__ float scan_in_block(PingPong& s, float x) {
  const int t = threadIdx.x;
  int in = 0;
  s.data[in][t] = x;
  __syncthreads();
  for (int d = 1; 2 * d < kBlock; d *= 2) {
    const int out = 1 - in;
    s.data[out][t] = t >= d ? s.data[in][t] + s.data[in][t - d] : s.data[in][t];
    __syncthreads();
    in = out;
  }
  const float result = s.data[in][t];
  __syncthreads();
  return result;
}

__global__ void scan_level(const float* in, float* out, float* totals, int n, bool exclusive) {
  __shared__ PingPong s;
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float own = i < n ? in[i] : 0.0f;
  const float sum = scan_in_block(s, own);
  __shared__ float shifted[kBlock + 1];
  shifted[threadIdx.x + 1] = sum;
  if (threadIdx.x == 0) shifted[0] = 0.0f;
  __syncthreads();
  if (i < n) out[i] = shifted[threadIdx.x + (exclusive ? 0 : 1)];
  if (threadIdx.x == kBlock - 1 && totals != nullptr) totals[blockIdx.x] = sum;
}

__global__ void add_offsets(float* out, const float* offsets, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] += offsets[blockIdx.x];
}

static void scan_any(const float* in, float* out, int n, bool exclusive) {
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks == 1) {
    scan_level<<<1, kBlock>>>(in, out, nullptr, n, exclusive);
    return;
  }
  float* totals = nullptr;
  float* offsets = nullptr;
  if (cudaMalloc(&totals, blocks * sizeof(float)) != cudaSuccess) return;
  if (cudaMalloc(&offsets, blocks * sizeof(float)) != cudaSuccess) return;
  scan_level<<<blocks, kBlock>>>(in, out, totals, n, exclusive);
  scan_any(totals, offsets, blocks, true);
  add_offsets<<<blocks, kBlock>>>(out, offsets, n);
  cudaFree(totals);
  cudaFree(offsets);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n <= 0) return;
  scan_any(values, sums, n, exclusive != 0);
  if (cudaGetLastError() != cudaSuccess) return;
}
