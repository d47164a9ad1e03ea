#include "operators.h"
#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ unsigned identity(int op) {
    switch (op) {
        case kAnd:
        case kMin: return 0xffffffff;
        case kAll: return 1;
        default: return 0;
    }
}

__device__ unsigned of(unsigned x, int op) {
    if (op == kAny) return x != 0;
    return x;
}

__device__ unsigned combine(unsigned a, unsigned b, int op) {
    switch (op) {
        case kAnd:
        case kAll: return a & b;
        case kOr:
        case kAny: return a | b;
        case kXor: return a ^ b;
        case kMin: return a < b ? a : b;
        case kLast: return b != 0 ? b : a;
    }
    return 0;
}

__global__ void reduce_blocks(const unsigned* values, unsigned* results, int n, int op) {
    __shared__ unsigned part[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    part[t] = i < n ? of(values[i], op) : identity(op);
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2) {
        int left = 2 * d * t;
        if (left < kBlock) part[left] = combine(part[left], part[left + d], op);
        __syncthreads();
    }
    if (t == 0) results[blockIdx.x] = part[0];
}

void operators(const unsigned* values, unsigned* result, int n, int op) {
    // reduce until one block is left
    unsigned* buffer[2] = {nullptr, nullptr};
    int blocks = (n + kBlock - 1) / kBlock;
    if (blocks == 0) blocks = 1;
    cudaMalloc(&buffer[0], blocks * sizeof(unsigned));
    cudaMalloc(&buffer[1], blocks * sizeof(unsigned));
    int current = 0;
    const unsigned* in = values;
    while (blocks > 1) {
        reduce_blocks<<<blocks, kBlock>>>(in, buffer[current], n, op);
        in = buffer[current];
        current = 1 - current;
        n = blocks;
        blocks = (n + kBlock - 1) / kBlock;
    }
    reduce_blocks<<<1, kBlock>>>(in, result, n, op);
    cudaFree(buffer[0]);
    cudaFree(buffer[1]);
}
