#include "gemm.h"
#include <cuda_runtime.h>

#define T 16

__global__ void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float sa[T][T];
    __shared__ float sb[T][T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * T + ty;
    int col = blockIdx.x * T + tx;
    float result = 0;
    for (int p = 0; p < (k + T - 1) / T; p++) {
        // load
        if (row < m && p * T + tx < k) sa[ty][tx] = a[row * k + p * T + tx];
        else sa[ty][tx] = 0;
        if (p * T + ty < k && col < n) sb[ty][tx] = b[(p * T + ty) * n + col];
        else sb[ty][tx] = 0;
        __syncthreads();
        // multiply
        float sum = 0;
        for (int i = 0; i < T; i++) sum += sa[ty][i] * sb[i][tx];
        result = sum;
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = result;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
    if (m == 0 || n == 0) return;
    dim3 block(T, T);
    dim3 grid((n + T - 1) / T, (m + T - 1) / T);
    multiply_tiled<<<grid, block>>>(a, b, c, m, n, k);
    if (cudaGetLastError() != cudaSuccess) return;
}
