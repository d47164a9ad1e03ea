// Tiles in dynamic shared memory, whose size the host chooses.
#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k, int tile) {
  extern __shared__ float tiles[];
  float* as = tiles;
  float* bs = tiles + tile * tile;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * tile + ty;
  int col = blockIdx.x * tile + tx;

  float sum = 0;
  for (int start = 0; start < k; start += tile) {
    as[ty * tile + tx] = (row < m && start + tx < k) ? a[row * k + start + tx] : 0;
    bs[ty * tile + tx] = (start + ty < k && col < n) ? b[(start + ty) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i) sum += as[ty * tile + i] * bs[i * tile + tx];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int tile = m < 64 || n < 64 ? 16 : 32;
  dim3 block(tile, tile);
  dim3 grid((n + tile - 1) / tile, (m + tile - 1) / tile);
  int bytes = 2 * tile * tile * sizeof(float);
  multiply<<<grid, block, bytes>>>(a, b, c, m, n, k, tile);
}
