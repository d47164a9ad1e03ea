#include "operators.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define BS 512
#define OK(c) do { cudaError_t r = (c); if (r != cudaSuccess) { fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(r)); exit(1); } } while (0)

static const unsigned IDENT[7] = { 0xffffffffu, 0, 0, 0xffffffffu, 1, 0, 0 };
__constant__ unsigned c_ident[7] = { 0xffffffffu, 0, 0, 0xffffffffu, 1, 0, 0 };

__device__ unsigned prepare(unsigned x, int op)
{
    return (op == kAll || op == kAny) ? (x != 0) : x;
}

__device__ unsigned comb(unsigned l, unsigned r, int op)
{
    if (op == kAnd || op == kAll) return l & r;
    if (op == kOr || op == kAny)  return l | r;
    if (op == kXor)               return l ^ r;
    if (op == kMin)               return min(l, r);
    return r != 0 ? r : l;        // kLast
}

__global__ void reduceKernel(const unsigned *in, unsigned *out, int n, int op)
{
    __shared__ unsigned s[BS];
    int t = threadIdx.x;
    int i = blockIdx.x * BS + t;
    s[t] = i < n ? prepare(in[i], op) : c_ident[op];
    __syncthreads();

    // sequential addressing -> no divergence, no bank conflicts
    for (int stride = BS / 2; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] = comb(s[t], s[t + stride], op);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

void operators(const unsigned *values, unsigned *result, int n, int op)
{
    if (n == 0) {
        OK(cudaMemcpy(result, &IDENT[op], sizeof(unsigned), cudaMemcpyHostToDevice));
        return;
    }
    unsigned *buf[2] = { NULL, NULL };
    int blocks = (n + BS - 1) / BS;
    OK(cudaMalloc(&buf[0], blocks * sizeof(unsigned)));
    OK(cudaMalloc(&buf[1], blocks * sizeof(unsigned)));

    const unsigned *src = values;
    int left = n, which = 0;
    do {
        blocks = (left + BS - 1) / BS;
        unsigned *dst = blocks == 1 ? result : buf[which];
        reduceKernel<<<blocks, BS>>>(src, dst, left, op);
        OK(cudaGetLastError());
        src = dst;
        left = blocks;
        which ^= 1;
    } while (left > 1);

    OK(cudaFree(buf[0]));
    OK(cudaFree(buf[1]));
}
