// verdict: fails-performance
// pitfall: P66
// caught-by: performance
// differs with clang: its modelled time is on the other side of a tier's border.
// Tiles 1024 steps deep take 128 KB per block of 256 threads: one of them fills a multiprocessor.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16
#define DEPTH 1024

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  extern __shared__ float tiles[];
  float* as = tiles;
  float* bs = tiles + TILE * DEPTH;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0;
  for (int start = 0; start < k; start += DEPTH) {
    int steps = min(DEPTH, k - start);
    for (int i = tx; i < steps; i += TILE)
      as[ty * DEPTH + i] = row < m ? a[row * k + start + i] : 0;
    for (int i = ty; i < steps; i += TILE)
      bs[i * TILE + tx] = col < n ? b[(start + i) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < steps; ++i) sum += as[ty * DEPTH + i] * bs[i * TILE + tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
  int bytes = 2 * TILE * DEPTH * sizeof(float);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  multiply<<<grid, block, bytes>>>(a, b, c, m, n, k);
}
