#include "reduction.h"
#include <cuda_runtime.h>

__device__ float neutral(int op)
{
    switch (op)
    {
        case kMin: return INFINITY;
        case kMax: return -INFINITY;
        case kProduct: return 1;
    }
    return 0;
}

__device__ float calc(float a, float b, int op)
{
    switch (op)
    {
        case kMin: return fminf(a, b);
        case kMax: return fmaxf(a, b);
        case kProduct: return a * b;
    }
    return a + b;
}

// unrolled as in the slides of M. Harris
__device__ void warpReduce(volatile float* sdata, int tid, int op)
{
    sdata[tid] = calc(sdata[tid], sdata[tid + 32], op);
    sdata[tid] = calc(sdata[tid], sdata[tid + 16], op);
    sdata[tid] = calc(sdata[tid], sdata[tid + 8], op);
    sdata[tid] = calc(sdata[tid], sdata[tid + 4], op);
    sdata[tid] = calc(sdata[tid], sdata[tid + 2], op);
    sdata[tid] = calc(sdata[tid], sdata[tid + 1], op);
}

__global__ void reduce(const float* g_in, float* g_out, int n, int op)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = (i < n) ? g_in[i] : neutral(op);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 32; s >>= 1)
    {
        if (tid < s) sdata[tid] = calc(sdata[tid], sdata[tid + s], op);
        __syncthreads();
    }
    if (tid < 32) warpReduce(sdata, tid, op);
    if (tid == 0) g_out[blockIdx.x] = sdata[0];
}

void reduction(const float* values, float* result, int n, int op)
{
    int blocks = (n + 255) / 256;
    if (blocks <= 1)
    {
        reduce<<<1, 256>>>(values, result, n, op);
        return;
    }
    float* d_partial;
    cudaMalloc((void**)&d_partial, blocks * sizeof(float));
    reduce<<<blocks, 256>>>(values, d_partial, n, op);
    reduction(d_partial, result, blocks, op);
    cudaFree(d_partial);
}
