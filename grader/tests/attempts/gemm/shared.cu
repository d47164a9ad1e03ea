#include "gemm.h"
#include <cuda_runtime.h>

#define T 16

__global__ void mm(const float* A, const float* B, float* C, int m, int n, int k)
{
    __shared__ float As[T][T];
    __shared__ float Bs[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float acc = 0.f;

    for (int p = 0; p < (k + T - 1) / T; p++) {
        int ka = p * T + tx;
        int kb = p * T + ty;
        As[ty][tx] = (row < m && ka < k) ? A[(size_t)row * k + ka] : 0.f;
        Bs[ty][tx] = (kb < k && col < n) ? B[(size_t)kb * n + col] : 0.f;
        __syncthreads();
        for (int i = 0; i < T; i++)
            acc += As[ty][i] * Bs[tx][i];
        __syncthreads();
    }
    if (row < m && col < n)
        C[(size_t)row * n + col] = acc;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k)
{
    if (m == 0 || n == 0) return;
    dim3 threads(T, T);
    dim3 grid((n + T - 1) / T, (m + T - 1) / T);
    mm<<<grid, threads>>>(a, b, c, m, n, k);
    if (cudaGetLastError() != cudaSuccess) return;
}
