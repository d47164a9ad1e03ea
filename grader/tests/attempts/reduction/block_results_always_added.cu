#include "reduction.h"
#include <cuda_runtime.h>

__device__ float identity(int op) {
    if (op == kMin) return INFINITY;
    if (op == kMax) return -INFINITY;
    if (op == kProduct) return 1.0f;
    return 0.0f;
}

__device__ float combine(float a, float b, int op) {
    switch (op) {
        case kSum: return a + b;
        case kMin: return a < b ? a : b;
        case kMax: return a > b ? a : b;
        default: return a * b;
    }
}

__global__ void reduce_blocks(const float* values, float* block_results, int n, int op) {
    __shared__ float part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? values[i] : identity(op);
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] = combine(part[threadIdx.x], part[threadIdx.x + stride], op);
        __syncthreads();
    }
    if (threadIdx.x == 0) block_results[blockIdx.x] = part[0];
}

// the last step: one block for all block results
__global__ void final_step(const float* block_results, float* result, int blocks, int op) {
    __shared__ float part[256];
    float x = blocks > 0 ? 0.0f : identity(op);
    for (int b = threadIdx.x; b < blocks; b += 256) x = x + block_results[b];
    part[threadIdx.x] = x;
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] = part[threadIdx.x] + part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = blocks > 0 ? part[0] : identity(op);
}

void reduction(const float* values, float* result, int n, int op) {
    int blocks = (n + 255) / 256;
    float* scratch = nullptr;
    cudaMalloc(&scratch, (blocks + 1) * sizeof(float));
    if (blocks > 0) reduce_blocks<<<blocks, 256>>>(values, scratch, n, op);
    final_step<<<1, 256>>>(scratch, result, blocks, op);
    cudaFree(scratch);
}
