// verdict: fails-concept
// pitfall: P75
// caught-by: concept tensor-cores
// One thread per element, with ordinary multiply-adds.
#include "tensor.h"

#include <cstddef>

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m,
                         int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) {
    const float left = __bfloat162float(a[static_cast<std::size_t>(row) * k + l]);
    sum += left * __bfloat162float(b[static_cast<std::size_t>(l) * n + column]);
  }
  c[static_cast<std::size_t>(row) * n + column] = __float2bfloat16(sum);
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  if (m == 0 || n == 0) return;
  multiply<<<dim3((n + 31) / 32, (m + 7) / 8), dim3(32, 8)>>>(a, b, c, m, n, k);
}
