#include "histogram.h"
#include <cuda_runtime.h>

__global__ void count_kernel(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < n && values[idx] < num_bins) {
    // atomicInc is faster than atomicAdd
    atomicInc(&bins[values[idx]], num_bins);
  }
}

__global__ void clear(unsigned int* bins, int num_bins) {
  int b = threadIdx.x + blockIdx.x * blockDim.x;
  if (b < num_bins) bins[b] = 0;
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  clear<<<(num_bins + 127) / 128, 128>>>(bins, num_bins);
  if (n == 0) return;
  count_kernel<<<(n + 127) / 128, 128>>>(values, bins, n, num_bins);
  if (cudaGetLastError() != cudaSuccess) return;
}
