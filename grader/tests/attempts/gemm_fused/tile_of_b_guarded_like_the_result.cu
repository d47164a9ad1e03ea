#include "gemm_fused.h"
#include <cuda_runtime.h>

#define BS 16

__global__ void fused(const float* A, const float* Bt, const float* C, float* O, int M, int N, int K)
{
    __shared__ float sA[BS][BS];
    __shared__ float sB[BS][BS + 1];

    const int row = blockIdx.y * BS + threadIdx.y;
    const int col = blockIdx.x * BS + threadIdx.x;
    float acc = 0.f;

    for (int t = 0; t < (K + BS - 1) / BS; ++t)
    {
        const int kk = t * BS + threadIdx.x;
        const int loadCol = blockIdx.x * BS + threadIdx.y;

        sA[threadIdx.y][threadIdx.x] = (row < M && kk < K) ? A[row * K + kk] : 0.f;
        // corner turning: B is stored by columns
        sB[threadIdx.x][threadIdx.y] = (row < M && col < N && loadCol < N && kk < K) ? Bt[loadCol * K + kk] : 0.f;
        __syncthreads();

        for (int i = 0; i < BS; ++i)
            acc += sA[threadIdx.y][i] * sB[i][threadIdx.x];
        __syncthreads();
    }

    if (row < M && col < N)
        O[row * N + col] = max(0.f, acc + C[row * N + col]);
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k)
{
    if (m == 0 || n == 0)
        return;
    dim3 block(BS, BS);
    dim3 grid((n - 1) / BS + 1, (m - 1) / BS + 1);
    fused<<<grid, block>>>(a, b, c, out, m, n, k);
}
