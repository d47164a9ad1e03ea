#include "gemm.h"
#include <cuda_runtime.h>

// each thread: four rows of one column
__global__ void gemm4x1(const float* a, const float* b, float* c, int m, int n, int k)
{
    __shared__ float as[32][8];
    __shared__ float bs[8][32];
    const int tx = threadIdx.x, ty = threadIdx.y;   // 32 x 8
    const int col = blockIdx.x * 32 + tx;
    const int row0 = blockIdx.y * 32 + 4 * ty;
    float sum[4] = {0, 0, 0, 0};

    for (int p = 0; p < k; p += 8)
    {
        const int r = (ty * 32 + tx) / 8, l = (ty * 32 + tx) % 8;
        const int arow = blockIdx.y * 32 + r;
        as[r][l] = (arow < m && p + l < k) ? a[(size_t)arow * k + p + l] : 0.0f;
        bs[ty][tx] = (p + ty < k && col < n) ? b[(size_t)(p + ty) * n + col] : 0.0f;
        for (int i = 0; i < 8; ++i)
        {
            for (int e = 0; e < 4; ++e) sum[e] += as[4 * ty + e][i] * bs[i][tx];
        }
        __syncthreads();
    }
    if (row0 < m && col < n)
    {
        for (int e = 0; e < 4; ++e)
        {
            c[(size_t)(row0 + e) * n + col] = sum[e];
        }
    }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (m == 0 || n == 0) return;
    gemm4x1<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8)>>>(a, b, c, m, n, k);
    if (cudaGetLastError() != cudaSuccess) return;
}
