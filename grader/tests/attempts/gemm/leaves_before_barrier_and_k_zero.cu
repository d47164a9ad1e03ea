#include "gemm.h"

#include <cuda_runtime.h>

#define TS 16

__global__ void gemm_kernel(const float* A, const float* B, float* C, int M, int N, int K) {
  __shared__ float sA[TS][TS];
  __shared__ float sB[TS][TS];

  int row = blockIdx.y * TS + threadIdx.y;
  int col = blockIdx.x * TS + threadIdx.x;
  if (row >= M || col >= N) return;

  float sum = 0;
  int numTiles = (K + TS - 1) / TS;
  for (int t = 0; t < numTiles; t++) {
    int aCol = t * TS + threadIdx.x;
    int bRow = t * TS + threadIdx.y;
    sA[threadIdx.y][threadIdx.x] = aCol < K ? A[row * K + aCol] : 0;
    sB[threadIdx.y][threadIdx.x] = bRow < K ? B[bRow * N + col] : 0;
    __syncthreads();
    for (int i = 0; i < TS; i++) sum += sA[threadIdx.y][i] * sB[i][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0 || k == 0) return;
  dim3 threads(TS, TS);
  dim3 blocks((n + TS - 1) / TS, (m + TS - 1) / TS);
  gemm_kernel<<<blocks, threads>>>(a, b, c, m, n, k);
  if (cudaGetLastError() != cudaSuccess) return;
}
