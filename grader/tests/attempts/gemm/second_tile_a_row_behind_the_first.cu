#include "gemm.h"
#include <cuda_runtime.h>

__global__ void matMulShared(const float* A, const float* B, float* C, int M, int N, int K, int TILE)
{
    extern __shared__ float shared[];
    float* As = shared;
    float* Bs = shared + TILE;

    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty;
    const int col = blockIdx.x * TILE + tx;

    float acc = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t)
    {
        const int aCol = t * TILE + tx;
        const int bRow = t * TILE + ty;
        As[ty * TILE + tx] = (row < M && aCol < K) ? A[(size_t)row * K + aCol] : 0.0f;
        Bs[ty * TILE + tx] = (bRow < K && col < N) ? B[(size_t)bRow * N + col] : 0.0f;
        __syncthreads();

        for (int i = 0; i < TILE; ++i)
        {
            acc += As[ty * TILE + i] * Bs[i * TILE + tx];
        }
        __syncthreads();
    }

    if (row < M && col < N)
    {
        C[(size_t)row * N + col] = acc;
    }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (m == 0 || n == 0)
    {
        return;
    }
    const int tile = 16;
    const dim3 block(tile, tile);
    const dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
    const size_t sharedBytes = 2 * tile * tile * sizeof(float);
    matMulShared<<<grid, block, sharedBytes>>>(a, b, c, m, n, k, tile);
}
