#include "attention.h"
#include <cuda_runtime.h>

#define WARPS 8
#define FULL 0xffffffffu

__device__ float warpMax(float x) {
    for (int d = 16; d > 0; d >>= 1) x = fmaxf(x, __shfl_xor_sync(FULL, x, d));
    return x;
}
__device__ float warpSum(float x) {
    for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(FULL, x, d);
    return x;
}

// 8 queries per block, one per warp
template <int D>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n, float scale, bool causal) {
    __shared__ float ks[32][D + 1];
    __shared__ float vs[32][D];
    __shared__ float qs[WARPS][D];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int query = blockIdx.x * WARPS + warp;
    const size_t head = (size_t)blockIdx.y * n * D;

    for (int c = lane; c < D; c += 32) qs[warp][c] = query < n ? q[head + (size_t)query * D + c] : 0.f;

    float m = -INFINITY, l = 0.f;
    float acc[D / 32];
    for (int e = 0; e < D / 32; ++e) acc[e] = 0.f;

    for (int first = 0; first < n; first += 32) {
        for (int r = warp; r < 32; r += WARPS)
            for (int c = lane; c < D; c += 32) {
                bool there = first + r < n;
                ks[r][c] = there ? k[head + (size_t)(first + r) * D + c] : 0.f;
                vs[r][c] = there ? v[head + (size_t)(first + r) * D + c] : 0.f;
            }
        __syncthreads();

        const int key = first + lane;
        float s = 0.f;
        for (int c = 0; c < D; ++c) s += qs[warp][c] * ks[lane][c];
        s *= scale;
        if (causal && key > query) s = -INFINITY;

        const float now = fmaxf(m, warpMax(s));
        const float factor = expf(m - now);
        const float p = expf(s - now);
        l = l * factor + warpSum(p);
        for (int e = 0; e < D / 32; ++e) acc[e] *= factor;
        for (int j = 0; j < 32; ++j) {
            const float w = __shfl_sync(FULL, p, j);
            for (int e = 0; e < D / 32; ++e) acc[e] += w * vs[j][lane + 32 * e];
        }
        m = now;
        __syncthreads();   // tile gets overwritten
    }
    if (query < n)
        for (int e = 0; e < D / 32; ++e) out[head + (size_t)query * D + lane + 32 * e] = acc[e] / l;
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n, int depth, float scale,
               int causal) {
    if (heads < 1 || n < 1) return;
    dim3 grid((n + WARPS - 1) / WARPS, heads), block(32, WARPS);
    if (depth == 64)
        attend<64><<<grid, block>>>(q, k, v, out, n, scale, causal != 0);
    else
        attend<128><<<grid, block>>>(q, k, v, out, n, scale, causal != 0);
    if (cudaGetLastError() != cudaSuccess) return;
}
