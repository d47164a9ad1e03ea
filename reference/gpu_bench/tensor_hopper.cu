// Alone, since it is compiled for Hopper and nothing else.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "sm90.h"
#include "tensor.h"

namespace wgmma {
#include "reference/tensor/stages/06_wgmma.cu"
}
namespace warp_specialised {
#include "reference/tensor/stages/07_warp_specialised.cu"
}
namespace persistent_clusters {
#include "reference/tensor/stages/08_persistent_clusters.cu"
}

void hopper_wgmma(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
                  int k) {
  wgmma::gemm_bf16(a, b, c, m, n, k);
}

void hopper_warp_specialised(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c,
                             int m, int n, int k) {
  warp_specialised::gemm_bf16(a, b, c, m, n, k);
}

void hopper_persistent_clusters(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c,
                                int m, int n, int k) {
  persistent_clusters::gemm_bf16(a, b, c, m, n, k);
}
