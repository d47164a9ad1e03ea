#include "sort.h"
#include <cuda_runtime.h>
#include <stdio.h>

// LSD radix sort, 1 bit per pass, 32 passes. Scan of *all* flags with a recursive exclusive scan
// (taken from my scan lab), so there is no special treatment of blocks.

#define B 512

__global__ void flagKernel(const unsigned *k, int *f, int n, int bit)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) f[i] = !((k[i] >> bit) & 1u);
}

__global__ void scanKernel(int *data, int *sums, int n)
{
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    int own = i < n ? data[i] : 0;
    s[t] = own;
    __syncthreads();
    for (int d = 1; d < B; d *= 2) {
        int x = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += x;
        __syncthreads();
    }
    if (i < n) data[i] = s[t] - own;
    if (t == B - 1) sums[blockIdx.x] = s[t];
}

__global__ void addKernel(int *data, const int *sums, int n)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i < n) data[i] += sums[blockIdx.x];
}

// data becomes its exclusive prefix sums; sums: scratch of blocks + blocks/B + ... elements
static void exclusiveScan(int *data, int *sums, int n)
{
    int blocks = (n + B - 1) / B;
    scanKernel<<<blocks, B>>>(data, sums, n);
    if (blocks > 1) {
        exclusiveScan(sums, sums + blocks, blocks);
        addKernel<<<blocks, B>>>(data, sums, n);
    }
}

__global__ void splitKernel(const unsigned *src, unsigned *dst, const int *zerosBefore, int n, int bit)
{
    int i = blockIdx.x * B + threadIdx.x;
    if (i >= n) return;
    int allZeros = zerosBefore[n - 1] + !((src[n - 1] >> bit) & 1u);
    unsigned key = src[i];
    int z = zerosBefore[i];
    if ((key >> bit) & 1u) dst[allZeros + i - z] = key;
    else                   dst[z] = key;
}

void sort(const unsigned *keys, unsigned *sorted, int n)
{
    if (n == 0) return;
    int blocks = (n + B - 1) / B;
    unsigned *tmp;
    int *flags, *sums;
    cudaMalloc(&tmp, n * sizeof(unsigned));
    cudaMalloc(&flags, n * sizeof(int));
    cudaMalloc(&sums, (2 * blocks + 8) * sizeof(int));

    const unsigned *src = keys;
    for (int bit = 0; bit < 32; bit++) {
        unsigned *dst = bit % 2 ? sorted : tmp;      // pass 31 writes to sorted
        flagKernel<<<blocks, B>>>(src, flags, n, bit);
        exclusiveScan(flags, sums, n);
        splitKernel<<<blocks, B>>>(src, dst, flags, n, bit);
    }
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) fprintf(stderr, "sort: %s\n", cudaGetErrorString(e));

    cudaFree(tmp);
    cudaFree(flags);
    cudaFree(sums);
}
