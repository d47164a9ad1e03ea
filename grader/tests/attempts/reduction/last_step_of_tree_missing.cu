#include "reduction.h"
#include <cuda_runtime.h>
#include <math.h>

#define BLOCK 512

struct Ops {
    static __device__ float start(int op) {
        if (op == kSum) return 0.f;
        if (op == kProduct) return 1.f;
        return op == kMin ? INFINITY : -INFINITY;
    }
    static __device__ float apply(float x, float y, int op) {
        if (op == kSum) return x + y;
        if (op == kProduct) return x * y;
        if (op == kMin) return x < y ? x : y;
        return x > y ? x : y;
    }
};

// coarsened: thread runs through the array, then a tree in shared memory
__global__ void reduceKernel(const float* in, float* out, int n, int op)
{
    __shared__ float sdata[BLOCK];
    unsigned int tid = threadIdx.x;
    float mine = Ops::start(op);
    for (size_t i = blockIdx.x * blockDim.x + tid; i < n; i += (size_t)blockDim.x * gridDim.x)
        mine = Ops::apply(mine, in[i], op);
    sdata[tid] = mine;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 1; s >>= 1) {
        if (tid < s)
            sdata[tid] = Ops::apply(sdata[tid], sdata[tid + s], op);
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}

void reduction(const float* values, float* result, int n, int op)
{
    const int grid = 128;
    float* tmp = nullptr;
    cudaMalloc(&tmp, grid * sizeof(float));
    reduceKernel<<<grid, BLOCK>>>(values, tmp, n, op);
    if (cudaGetLastError() != cudaSuccess) { cudaFree(tmp); return; }
    reduceKernel<<<1, BLOCK>>>(tmp, result, grid, op);
    if (cudaGetLastError() != cudaSuccess) { cudaFree(tmp); return; }
    cudaFree(tmp);
}
