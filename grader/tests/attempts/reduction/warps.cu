#include "reduction.h"
#include <cuda_runtime.h>

// operators as functors, two stages of shuffles per block
struct Sum  { static __device__ float id() { return 0.f; }
              static __device__ float f(float a, float b) { return a + b; } };
struct Min  { static __device__ float id() { return __int_as_float(0x7f800000); }
              static __device__ float f(float a, float b) { return fminf(a, b); } };
struct Max  { static __device__ float id() { return __int_as_float(0xff800000); }
              static __device__ float f(float a, float b) { return fmaxf(a, b); } };
struct Prod { static __device__ float id() { return 1.f; }
              static __device__ float f(float a, float b) { return a * b; } };

constexpr int THREADS = 256;
constexpr int WARPS = THREADS / 32;
constexpr int MAX_BLOCKS = 512;

template <class Op>
__device__ float warp_reduce(float v)
{
    for (int d = 16; d >= 1; d /= 2)
        v = Op::f(v, __shfl_down_sync(0xffffffffu, v, d));
    return v;
}

template <class Op>
__global__ void reduce(const float* in, float* out, int n)
{
    __shared__ float warp_result[WARPS];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;

    float v = Op::id();
    for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < n;
         i += (long long)gridDim.x * THREADS)
        v = Op::f(v, in[i]);

    v = warp_reduce<Op>(v);
    if (lane == 0) warp_result[warp] = v;

    if (warp == 0) {
        v = lane < WARPS ? warp_result[lane] : Op::id();
        v = warp_reduce<Op>(v);
        if (lane == 0) out[blockIdx.x] = v;
    }
}

template <class Op>
static void run(const float* values, float* result, int n)
{
    int blocks = (n + THREADS - 1LL) / THREADS;
    if (blocks < 1) blocks = 1;
    if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
    float* tmp;
    if (cudaMalloc(&tmp, blocks * sizeof(float)) != cudaSuccess) return;
    reduce<Op><<<blocks, THREADS>>>(values, tmp, n);
    if (cudaGetLastError() == cudaSuccess) {
        reduce<Op><<<1, THREADS>>>(tmp, result, blocks);
        cudaGetLastError();
    }
    cudaFree(tmp);
}

void reduction(const float* values, float* result, int n, int op)
{
    if (op == kSum) run<Sum>(values, result, n);
    else if (op == kMin) run<Min>(values, result, n);
    else if (op == kMax) run<Max>(values, result, n);
    else run<Prod>(values, result, n);
}
