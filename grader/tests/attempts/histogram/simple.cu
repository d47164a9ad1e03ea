#include "histogram.h"
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void zero(unsigned int *bins, int num_bins) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b < num_bins) bins[b] = 0;
}

__global__ void hist(const unsigned int *values, unsigned int *bins, int n, int num_bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    // make sure that we never leave the array, whatever the value is
    unsigned int bin = min(values[i], (unsigned int)(num_bins - 1));
    atomicAdd(&bins[bin], 1);
  }
}

void histogram(const unsigned int *values, unsigned int *bins, int n, int num_bins) {
  zero<<<(num_bins + 511) / 512, 512>>>(bins, num_bins);
  cudaError_t err = cudaGetLastError();
  if (err != cudaSuccess) { printf("zero: %s\n", cudaGetErrorString(err)); return; }
  if (n > 0) {
    hist<<<(unsigned(n) + 511) / 512, 512>>>(values, bins, n, num_bins);
    err = cudaGetLastError();
    if (err != cudaSuccess) printf("hist: %s\n", cudaGetErrorString(err));
  }
}
