#include "text_histogram.h"
#include <cuda_runtime.h>

// a = 1, b = 2, ..., z = 26; 0 for everything that is not a letter
__device__ int number_in_alphabet(unsigned char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A' + 1;
    if (c >= 'a' && c <= 'z') return c - 'a' + 1;
    return 0;
}

__device__ int bin_of(unsigned char c)
{
    int letter = number_in_alphabet(c);
    return letter == 0 ? 7 : letter / 4;
}

__global__ void count(const unsigned char* text, unsigned int* bins, int n)
{
    __shared__ unsigned int mine[8];
    if (threadIdx.x < 8) mine[threadIdx.x] = 0;
    __syncthreads();

    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (long long)gridDim.x * blockDim.x)
        atomicAdd(&mine[bin_of(text[i])], 1u);

    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

void text_histogram(const unsigned char* text, unsigned int* bins, int n)
{
    cudaMemset(bins, 0, 8 * sizeof(unsigned int));
    if (n == 0) return;
    int blocks = n / 1024 + 1;
    if (blocks > 864) blocks = 864;
    count<<<blocks, 256>>>(text, bins, n);
    if (cudaGetLastError() != cudaSuccess) return;
}
