// Alone, since it is compiled for Hopper and nothing else.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "gemm.h"
#include "labs/tensor/sm90.h"

namespace hopper {
#include "reference/gemm/hopper/tensor_cores.cu"
}

void hopper_gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  hopper::gemm(a, b, c, m, n, k);
}
