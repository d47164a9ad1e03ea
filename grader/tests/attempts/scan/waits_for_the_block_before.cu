#include "scan.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// done[b] is set when before[b] holds the sum of all blocks up to b
__global__ void scan_all(const float* values, float* sums, volatile float* upto, volatile int* done,
                         int n, int exclusive) {
  __shared__ float temp[kBlock];
  __shared__ float before;
  int t = threadIdx.x;
  int i = blockIdx.x * kBlock + t;
  temp[t] = i < n ? values[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < kBlock; d *= 2) {
    float v = t >= d ? temp[t - d] : 0.0f;
    __syncthreads();
    temp[t] += v;
    __syncthreads();
  }
  if (t == 0) {
    before = 0;
    if (blockIdx.x > 0) {
      while (done[blockIdx.x - 1] == 0) {
      }
      before = upto[blockIdx.x - 1];
    }
    upto[blockIdx.x] = before + temp[kBlock - 1];
    done[blockIdx.x] = 1;
  }
  __syncthreads();
  if (i < n) sums[i] = before + (exclusive ? (t > 0 ? temp[t - 1] : 0.0f) : temp[t]);
}

void scan(const float* values, float* sums, int n, int exclusive) {
  if (n == 0) return;
  int blocks = (n + kBlock - 1) / kBlock;
  float* upto;
  int* done;
  cudaMalloc(&upto, blocks * sizeof(float));
  cudaMalloc(&done, blocks * sizeof(int));
  cudaMemset(done, 0, blocks * sizeof(int));
  scan_all<<<blocks, kBlock>>>(values, sums, upto, done, n, exclusive);
  cudaFree(upto);
  cudaFree(done);
}
