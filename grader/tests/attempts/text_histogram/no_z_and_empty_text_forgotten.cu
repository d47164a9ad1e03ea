#include "text_histogram.h"

#include <cuda_runtime.h>

__device__ int bin_of(unsigned char c)
{
    int letter = -1;
    if (c >= 'a' && c <= 'z')
        letter = c - 'a';
    else if (c >= 'A' && c < 'Z')
        letter = c - 'A';
    return letter < 0 ? 7 : letter / 4;
}

__global__ void clear(unsigned int *bins)
{
    bins[threadIdx.x] = 0;
}

__global__ void count(const unsigned char *text, unsigned int *bins, int n)
{
    __shared__ unsigned int local[8];

    if (threadIdx.x < 8)
        local[threadIdx.x] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[bin_of(text[i])], 1);
    __syncthreads();

    if (threadIdx.x < 8)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

void text_histogram(const unsigned char *text, unsigned int *bins, int n)
{
    if (n == 0) return;
    clear<<<1, 8>>>(bins);
    int blocks = (n + 4095) / 4096;
    count<<<blocks, 256>>>(text, bins, n);
    if (cudaGetLastError() != cudaSuccess)
        return;
}
