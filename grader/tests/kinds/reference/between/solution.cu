#include "between.h"

__device__ bool is_between(float x, Range range) {
  return x + range.shift >= range.low && x + range.shift <= range.high;
}

__global__ void count_each(const float* x, int* count, int n, Range range) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && is_between(x[i], range)) atomicAdd(count, 1);
}

__global__ void mark_each(const float* x, bool* marks, int n, Range range) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) marks[i] = is_between(x[i], range);
}

int between_count(const float* x, Range range, int n) {
  int* device;
  cudaMalloc(&device, sizeof(int));
  cudaMemset(device, 0, sizeof(int));
  count_each<<<(n + 127) / 128, 128>>>(x, device, n, range);
  int count = 0;
  cudaMemcpy(&count, device, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  return count;
}

void between_mark(const float* x, bool* marks, int n, Range range) {
  mark_each<<<(n + 127) / 128, 128>>>(x, marks, n, range);
}
