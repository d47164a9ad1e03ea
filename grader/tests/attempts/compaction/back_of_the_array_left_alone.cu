#include "compaction.h"
#include <cuda_runtime.h>

static const int THREADS = 512;

__global__ void countKernel(const int *values, int *counts, int n)
{
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned votes = __ballot_sync(0xffffffff, i < n && values[i] > 0);
    if ((threadIdx.x & 31) == 0) atomicAdd(&total, __popc(votes));
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

__global__ void prefixKernel(int *counts, int blocks, int *count)
{
    int before = 0;
    for (int b = 0; b < blocks; ++b) {
        const int c = counts[b];
        counts[b] = before;
        before += c;
    }
    *count = before;
}

__global__ void scatterKernel(const int *values, const int *counts, int *kept, int n)
{
    __shared__ int warpCounts[THREADS / 32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int x = i < n ? values[i] : -1;
    const unsigned votes = __ballot_sync(0xffffffff, x > 0);
    if (lane == 0) warpCounts[warp] = __popc(votes);
    __syncthreads();
    int pos = counts[blockIdx.x] + __popc(votes & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) pos += warpCounts[w];
    if (x > 0) kept[pos] = x;
}

void compaction(const int *values, int *kept, int *count, int n)
{
    cudaMemset(count, 0, sizeof(int));   // for n = 0
    if (n <= 0) return;
    const int blocks = (n + THREADS - 1) / THREADS;
    int *counts;
    cudaMalloc((void **)&counts, blocks * sizeof(int));
    countKernel<<<blocks, THREADS>>>(values, counts, n);
    prefixKernel<<<1, 1>>>(counts, blocks, count);
    scatterKernel<<<blocks, THREADS>>>(values, counts, kept, n);
    cudaFree(counts);
}
