#include "operators.h"
#include <cuda_runtime.h>

struct And  { static __device__ unsigned id() { return 0xffffffffu; } static __device__ unsigned of(unsigned x) { return x; } static __device__ unsigned op(unsigned a, unsigned b) { return a & b; } };
struct Or   { static __device__ unsigned id() { return 0; } static __device__ unsigned of(unsigned x) { return x; } static __device__ unsigned op(unsigned a, unsigned b) { return a | b; } };
struct Xor  { static __device__ unsigned id() { return 0; } static __device__ unsigned of(unsigned x) { return x; } static __device__ unsigned op(unsigned a, unsigned b) { return a ^ b; } };
struct Min  { static __device__ unsigned id() { return 0xffffffffu; } static __device__ unsigned of(unsigned x) { return x; } static __device__ unsigned op(unsigned a, unsigned b) { return min(a, b); } };
struct All  { static __device__ unsigned id() { return 1; } static __device__ unsigned of(unsigned x) { return x != 0; } static __device__ unsigned op(unsigned a, unsigned b) { return a & b; } };
struct Any  { static __device__ unsigned id() { return 0; } static __device__ unsigned of(unsigned x) { return x != 0; } static __device__ unsigned op(unsigned a, unsigned b) { return a | b; } };
struct Last { static __device__ unsigned id() { return 0; } static __device__ unsigned of(unsigned x) { return x; } static __device__ unsigned op(unsigned a, unsigned b) { return a != 0 ? a : b; } };

template <class Op>
__global__ void reduce_blocks(const unsigned* in, unsigned* out, int n)
{
    __shared__ unsigned s[128];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 128 + t;
    s[t] = i < n ? Op::of(in[i]) : Op::id();
    __syncthreads();
    for (int d = 1; d < 128; d <<= 1)
    {
        const int left = 2 * d * t;
        if (left + d < 128)
            s[left] = Op::op(s[left], s[left + d]);
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

template <class Op>
void run(const unsigned* values, unsigned* result, int n)
{
    const int blocks = n > 0 ? (n + 127) / 128 : 1;
    if (blocks == 1)
    {
        reduce_blocks<Op><<<1, 128>>>(values, result, n);
        return;
    }
    unsigned* partial;
    cudaMalloc(&partial, sizeof(unsigned) * blocks);
    reduce_blocks<Op><<<blocks, 128>>>(values, partial, n);
    run<Op>(partial, result, blocks);   // recursion over the block results
    cudaFree(partial);
}

void operators(const unsigned* values, unsigned* result, int n, int op)
{
    switch (op)
    {
    case kAnd: run<And>(values, result, n); break;
    case kOr: run<Or>(values, result, n); break;
    case kXor: run<Xor>(values, result, n); break;
    case kMin: run<Min>(values, result, n); break;
    case kAll: run<All>(values, result, n); break;
    case kAny: run<Any>(values, result, n); break;
    default: run<Last>(values, result, n); break;
    }
}
