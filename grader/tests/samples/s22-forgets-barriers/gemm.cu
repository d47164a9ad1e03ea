#include "gemm.h"

#define T 16

__global__ void mm(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float sA[T][T];
  __shared__ float sB[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty;
  int col = blockIdx.x * T + tx;
  float acc = 0;
  for (int p = 0; p < (k + T - 1) / T; p++) {
    sA[ty][tx] = (row < m && p * T + tx < k) ? A[row * k + p * T + tx] : 0;
    sB[ty][tx] = (col < n && p * T + ty < k) ? B[(p * T + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < T; i++) acc += sA[ty][i] * sB[i][tx];
  }
  if (row < m && col < n) C[row * n + col] = acc;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  mm<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k);
}
