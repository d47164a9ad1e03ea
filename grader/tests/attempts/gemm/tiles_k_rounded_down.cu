#include "gemm.h"

#include <cuda_runtime.h>

#define TILE_WIDTH 16

__global__ void multiply(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;

  int Row = by * TILE_WIDTH + ty;
  int Col = bx * TILE_WIDTH + tx;

  float Pvalue = 0;
  for (int ph = 0; ph < k / TILE_WIDTH; ++ph) {
    Mds[ty][tx] = Row < m ? M[Row * k + ph * TILE_WIDTH + tx] : 0.0f;
    Nds[ty][tx] = Col < n ? N[(ph * TILE_WIDTH + ty) * n + Col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) {
      Pvalue += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }
  if (Row < m && Col < n) P[Row * n + Col] = Pvalue;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 dimGrid((n + TILE_WIDTH - 1) / TILE_WIDTH, (m + TILE_WIDTH - 1) / TILE_WIDTH, 1);
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
  multiply<<<dimGrid, dimBlock>>>(a, b, c, m, n, k);
}
