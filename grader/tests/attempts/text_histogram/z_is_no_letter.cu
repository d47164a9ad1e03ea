#include "text_histogram.h"
#include <cuda_runtime.h>

__device__ int bin_of(unsigned char c) {
    if (c >= 'a' && c < 'z') return (c - 'a') / 4;
    if (c >= 'A' && c < 'Z') return (c - 'A') / 4;
    return 7;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n) {
    __shared__ unsigned int mine[8];
    if (threadIdx.x < 8) mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&mine[bin_of(text[i])], 1);
    }
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n) {
    cudaMemset(bins, 0, 8);
    if (n == 0) return;
    int blocks = (n + 255) / 256;
    if (blocks > 216) blocks = 216;
    count<<<blocks, 256>>>(text, bins, n);
}
