#include "gemm.h"
#include <cuda_runtime.h>
#include <algorithm>

// tile 16x16, and the k-loop is divided between the blocks in z (split-k),
// because for small matrices there are not enough blocks for the GPU otherwise

static const int TILE  = 16;
static const int DEPTH = 256;   // k-steps of one block

__global__ void gemm_split_k(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float ta[TILE][TILE];
    __shared__ float tb[TILE][TILE + 1];

    const int r  = blockIdx.y * TILE + threadIdx.y;
    const int cc = blockIdx.x * TILE + threadIdx.x;
    const int from = blockIdx.z * DEPTH;
    const int to   = min(k, from + DEPTH);

    float partial = 0.0f;
    for (int step = from; step < to; step += TILE) {
        float x = 0, y = 0;
        if (r < m && step + threadIdx.x < to)  x = a[(long long)r * k + step + threadIdx.x];
        if (cc < n && step + threadIdx.y < to) y = b[(long long)(step + threadIdx.y) * n + cc];
        ta[threadIdx.y][threadIdx.x] = x;
        tb[threadIdx.y][threadIdx.x] = y;
        __syncthreads();
        #pragma unroll
        for (int q = 0; q < TILE; ++q)
            partial += ta[threadIdx.y][q] * tb[q][threadIdx.x];
        __syncthreads();
    }
    // several blocks add to the same element
    if (r < m && cc < n) atomicAdd(&c[(long long)r * n + cc], partial);
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (m == 0 || n == 0) return;
    if (k == 0) {
        cudaMemset(c, 0, sizeof(float) * m * n);
        return;
    }
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE, (k + DEPTH - 1) / DEPTH);
    gemm_split_k<<<grid, block>>>(a, b, c, m, n, k);
    cudaError_t e = cudaGetLastError();
    (void)e;
}
