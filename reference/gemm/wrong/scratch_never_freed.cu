// verdict: fails-safety
// pitfall: P46
// caught-by: finding leak
// The parts of the sum get scratch memory in every call, and it is never freed.
#include "gemm.h"

#include <cuda_runtime.h>

#define TILE 16
#define PARTS 4

// Part z of the phases goes to block z, and its sums to part z of c.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE];
  __shared__ float bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;

  float sum = 0;
  for (int p = blockIdx.z; p < (k + TILE - 1) / TILE; p += PARTS) {
    as[ty][tx] = (row < m && p * TILE + tx < k) ? a[row * k + p * TILE + tx] : 0;
    bs[ty][tx] = (p * TILE + ty < k && col < n) ? b[(p * TILE + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) c[(blockIdx.z * m + row) * n + col] = sum;
}

__global__ void add_parts(const float* parts, float* c, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) c[i] = parts[i] + parts[count + i] + parts[2 * count + i] + parts[3 * count + i];
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  float* parts;
  cudaMalloc(&parts, sizeof(float) * PARTS * m * n);
  dim3 block(TILE, TILE);
  dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE, PARTS);
  multiply<<<grid, block>>>(a, b, parts, m, n, k);
  add_parts<<<(m * n + 255) / 256, 256>>>(parts, c, m * n);
}
