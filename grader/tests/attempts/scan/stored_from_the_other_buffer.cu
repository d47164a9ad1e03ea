#include "scan.h"
#include <cuda_runtime.h>

#define BLOCK 512

// Kogge-Stone with two buffers
__global__ void scanBlocks(const float* in, float* out, float* totals, int n, int exclusive)
{
    __shared__ float buffer[2][BLOCK];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK + t;
    int from = 0, to = 1;

    buffer[from][t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2)
    {
        buffer[to][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0.0f);
        __syncthreads();
        int swap = from;
        from = to;
        to = swap;
    }
    // the sums are in `to`
    const float* done = buffer[to];
    if (i < n)
    {
        if (!exclusive)
            out[i] = done[t];
        else
            out[i] = t == 0 ? 0.0f : done[t - 1];
    }
    if (t == BLOCK - 1) totals[blockIdx.x] = done[t];
}

__global__ void addTotals(float* out, const float* totals, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) out[i] += totals[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive)
{
    if (n == 0) return;
    const int blocks = (n + BLOCK - 1) / BLOCK;
    float *totals = nullptr, *scanned = nullptr;
    cudaMalloc(&totals, blocks * sizeof(float));
    scanBlocks<<<blocks, BLOCK>>>(values, sums, totals, n, exclusive);
    if (blocks > 1)
    {
        cudaMalloc(&scanned, blocks * sizeof(float));
        scan(totals, scanned, blocks, 0);
        addTotals<<<blocks, BLOCK>>>(sums, scanned, n);
        cudaFree(scanned);
    }
    cudaFree(totals);
}
