#include <cuda_runtime.h>
#include <mma.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "gemm.h"
#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/gemm/solution.cu"
}
#undef CHECK
namespace tensor_cores {
#include "reference/gemm/stages/13_tensor_cores.cu"
}
#undef CHECK
namespace asynchronous_copies {
#include "reference/gemm/stages/14_asynchronous_copies.cu"
}
#undef CHECK
namespace fitting_tiles {
#include "reference/gemm/stages/15_fitting_tiles.cu"
}

// Hopper's own instructions need a target of their own: see gemm_hopper.cu.
void hopper_gemm(const float* a, const float* b, float* c, int m, int n, int k);

namespace against {
namespace {

std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

#ifdef AGAINST_HAS_CUBLAS
Contender library(const char* name, cublasMath_t mode, int m, int n, int k) {
  const auto handle = std::make_shared<CublasHandle>();
  return {name, [=](const Buffers& b) {
            const float one = 1;
            const float zero = 0;
            check_cublas(cublasSetMathMode(handle->get(), mode), "cublasSetMathMode");
            // cuBLAS is column-major: C' = B' A', without copying the matrices.
            check_cublas(cublasSgemm(handle->get(), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one,
                                     b.input<float>(1), n, b.input<float>(0), k, &zero,
                                     b.output<float>(), n),
                         name);
          }};
}
#endif

Row row_of(int m, int n, int k, const char* size) {
  Row row;
  row.lab = "gemm";
  row.size = size;
  row.inputs = {uniform_floats(elements(m, k)), uniform_floats(elements(k, n))};
  row.output_bytes = sizeof(float) * elements(m, n);
  row.error = [=](const void* got, const void* want) {
    return relative_error(got, want, elements(m, n));
  };
  row.work = 2.0 * m * n * k;
  return row;
}

Row in_float(int m, int n, int k, const char* size) {
  Row row = row_of(m, n, k, size);
  row.largest_error = 1e-5;
  row.ceiling = Ceiling::multiply_add;
#ifdef AGAINST_HAS_CUBLAS
  row.contenders.push_back(library("cuBLAS, pedantic", CUBLAS_PEDANTIC_MATH, m, n, k));
#else
  row.size += " (built without cuBLAS)";
#endif
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::gemm(b.input<float>(0), b.input<float>(1),
                                             b.output<float>(), m, n, k);
                            }});
  row.contenders.push_back({"stage 14_asynchronous_copies", [=](const Buffers& b) {
                              asynchronous_copies::gemm(b.input<float>(0), b.input<float>(1),
                                                        b.output<float>(), m, n, k);
                            }});
  row.contenders.push_back({"stage 15_fitting_tiles", [=](const Buffers& b) {
                              fitting_tiles::gemm(b.input<float>(0), b.input<float>(1),
                                                  b.output<float>(), m, n, k);
                            }});
  return row;
}

bool is_hopper() {
  int major = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0), "asking the device");
  return major == 9;
}

Row in_tf32(int m, int n, int k, const char* size) {
  Row row = row_of(m, n, k, size);
  row.largest_error = 2e-3;  // of both: one may round its operands and the other cut them off
#ifdef AGAINST_HAS_CUBLAS
  row.contenders.push_back(library("cuBLAS, TF32", CUBLAS_TF32_TENSOR_OP_MATH, m, n, k));
#else
  row.size += " (built without cuBLAS)";
#endif
  row.contenders.push_back({"stage 13_tensor_cores", [=](const Buffers& b) {
                              tensor_cores::gemm(b.input<float>(0), b.input<float>(1),
                                                 b.output<float>(), m, n, k);
                            }});
  if (is_hopper()) {
    row.contenders.push_back({"hopper/tensor_cores", [=](const Buffers& b) {
                                hopper_gemm(b.input<float>(0), b.input<float>(1), b.output<float>(),
                                            m, n, k);
                              }});
  }
  return row;
}

const Registration kGemm("gemm", [] {
  return std::vector<Row>{
      in_float(4096, 4096, 4096, "4096^3, float"),
      in_float(4001, 3999, 4003, "4001 x 3999 x 4003, float"),
      in_tf32(4096, 4096, 4096, "4096^3, TF32"),
  };
});

}  // namespace
}  // namespace against
