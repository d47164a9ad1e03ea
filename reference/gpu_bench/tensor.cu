#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/row.h"
#include "sm80.h"

namespace solution {
#include "reference/tensor/solution.cu"
}
#undef CHECK
namespace by_wmma {
#include "reference/tensor/stages/01_wmma.cu"
}
#undef CHECK
namespace by_ldmatrix {
#include "reference/tensor/stages/02_ldmatrix.cu"
}
#undef CHECK
namespace swizzled {
#include "reference/tensor/stages/03_swizzled.cu"
}
#undef CHECK
namespace by_stages {
#include "reference/tensor/stages/04_stages.cu"
}

// Hopper's own instructions need a target of their own: see tensor_hopper.cu.
using Product = void(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
                     int k);
Product hopper_wgmma, hopper_warp_specialised, hopper_persistent_clusters;

namespace against {
namespace {

std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

#ifdef AGAINST_HAS_CUBLAS
Contender library(int m, int n, int k) {
  const auto handle = std::make_shared<CublasHandle>();
  return {"cuBLAS, bf16", [=](const Buffers& b) {
            const float one = 1;
            const float zero = 0;
            // cuBLAS is column-major: C' = B' A', without copying the matrices.
            check_cublas(cublasGemmEx(handle->get(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                                      b.input<void>(1), CUDA_R_16BF, n, b.input<void>(0),
                                      CUDA_R_16BF, k, &zero, b.output<void>(), CUDA_R_16BF, n,
                                      CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                         "cublasGemmEx");
          }};
}
#endif

bool is_hopper() {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking the device");
  return major == 9;
}

// All rungs, relative to the library: the lab's point is how far each of them comes.
Row row_of(int m, int n, int k, const char* size) {
  Row row;
  row.lab = "tensor";
  row.size = size;
  row.inputs = {uniform_bfloats(elements(m, k)), uniform_bfloats(elements(k, n))};
  row.output_bytes = sizeof(__nv_bfloat16) * elements(m, n);
  row.error = [=](const void* got, const void* want) {
    return relative_error_of_bfloats(got, want, elements(m, n));
  };
  row.largest_error = 1e-3;  // sums in another order that are rounded to the next of 2^8 steps
  row.work = 2.0 * m * n * k;
#ifdef AGAINST_HAS_CUBLAS
  row.contenders.push_back(library(m, n, k));
#else
  row.size += " (built without cuBLAS)";
#endif
  const auto contender = [&](const char* name, Product* product) {
    row.contenders.push_back({name, [=](const Buffers& b) {
                                product(b.input<__nv_bfloat16>(0), b.input<__nv_bfloat16>(1),
                                        b.output<__nv_bfloat16>(), m, n, k);
                              }});
  };
  contender("stage 01_wmma", by_wmma::gemm_bf16);
  contender("stage 02_ldmatrix", by_ldmatrix::gemm_bf16);
  contender("stage 03_swizzled", swizzled::gemm_bf16);
  contender("stage 04_stages", by_stages::gemm_bf16);
  contender("solution", solution::gemm_bf16);
  if (is_hopper()) {
    contender("stage 06_wgmma", hopper_wgmma);
    contender("stage 07_warp_specialised", hopper_warp_specialised);
    contender("stage 08_persistent_clusters", hopper_persistent_clusters);
  }
  return row;
}

const Registration kTensor("tensor", [] {
  return std::vector<Row>{row_of(4096, 4096, 4096, "4096^3, bf16")};
});

}  // namespace
}  // namespace against
