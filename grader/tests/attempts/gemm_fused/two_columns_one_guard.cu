#include "gemm_fused.h"
#include <cuda_runtime.h>

// 16 x 16 threads, each with two results: (row, col) and (row, col + 16)
__global__ void layer2(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  __shared__ float at[16][17];
  __shared__ float bt[32][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty;
  const int col = blockIdx.x * 32 + tx;

  float s0 = 0, s1 = 0;
  for (int k0 = 0; k0 < k; k0 += 16) {
    const bool in_k = k0 + tx < k;
    const int j0 = blockIdx.x * 32 + ty, j1 = j0 + 16;
    at[ty][tx] = in_k && row < m ? a[row * k + k0 + tx] : 0.f;
    bt[ty][tx] = in_k && j0 < n ? b[j0 * k + k0 + tx] : 0.f;
    bt[ty + 16][tx] = in_k && j1 < n ? b[j1 * k + k0 + tx] : 0.f;
    for (int l = 0; l < 16; ++l) {
      s0 += at[ty][l] * bt[tx][l];
      s1 += at[ty][l] * bt[tx + 16][l];
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    out[row * n + col] = fmaxf(s0 + c[row * n + col], 0.f);
    out[row * n + col + 16] = fmaxf(s1 + c[row * n + col + 16], 0.f);
  }
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  layer2<<<dim3((n + 31) / 32, (m + 15) / 16), dim3(16, 16)>>>(a, b, c, out, m, n, k);
}
