// Alone, since it is compiled for Hopper and nothing else.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "gemm.h"
#include "reference/gemm/hopper/sm90.h"

namespace hopper {
#include "reference/gemm/hopper/tensor_cores.cu"
}
namespace hopper_bf16 {
#include "reference/gemm/hopper/bf16.cu"
}

void hopper_gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  hopper::gemm(a, b, c, m, n, k);
}

void hopper_gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m,
                      int n, int k) {
  hopper_bf16::gemm_bf16(a, b, c, m, n, k);
}
