#include "gemm_fused.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/gemm_fused/solution.cu"
}

namespace against {
namespace {

#ifdef AGAINST_HAS_CUBLAS
/// max(0, A * B + C) in one call: the algorithm that the library's heuristic names first.
class Layer {
 public:
  Layer(int m, int n, int k) {
    check_cublas(cublasLtCreate(&handle_), "cublasLtCreate");
    check_cublas(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F),
                 "an operation's descriptor");
    // cuBLAS is column-major: out' = B' A' + C', where a's rows and b's columns are its columns.
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU);
    layout(&b_, k, n);
    layout(&a_, k, m);
    layout(&out_, n, m);
    cublasLtMatmulPreference_t preference = nullptr;
    check_cublas(cublasLtMatmulPreferenceCreate(&preference), "a preference");
    const std::size_t most = kScratchBytes;
    check_cublas(cublasLtMatmulPreferenceSetAttribute(
                     preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof(most)),
                 "a preference");
    int found = 0;
    check_cublas(cublasLtMatmulAlgoGetHeuristic(handle_, operation_, b_, a_, out_, out_, preference,
                                                1, &best_, &found),
                 "cublasLtMatmulAlgoGetHeuristic");
    check_cublas(found > 0 ? best_.state : CUBLAS_STATUS_NOT_SUPPORTED, "the best algorithm");
    check_cublas(cublasLtMatmulPreferenceDestroy(preference), "a preference");
  }

  void run(const Buffers& buffers) {
    const float one = 1;
    check_cublas(cublasLtMatmul(handle_, operation_, &one, buffers.input<float>(1), b_,
                                buffers.input<float>(0), a_, &one, buffers.input<float>(2), out_,
                                buffers.output<float>(), out_, &best_.algo,
                                scratch_.get(kScratchBytes), kScratchBytes, nullptr),
                 "cublasLtMatmul");
  }

 private:
  static constexpr std::size_t kScratchBytes = std::size_t{32} << 20;

  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    check_cublas(cublasLtMatmulDescSetAttribute(operation_, attribute, &value, sizeof(value)),
                 "an operation's descriptor");
  }
  static void layout(cublasLtMatrixLayout_t* made, int rows, int columns) {
    check_cublas(cublasLtMatrixLayoutCreate(made, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                            static_cast<std::uint64_t>(columns), rows),
                 "a matrix's layout");
  }

  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr;
  cublasLtMatrixLayout_t b_ = nullptr;
  cublasLtMatrixLayout_t out_ = nullptr;
  cublasLtMatmulHeuristicResult_t best_{};
  Scratch scratch_;
};

Contender library(int m, int n, int k) {
  const auto layer = std::make_shared<std::unique_ptr<Layer>>();
  return {"cuBLASLt, float", [=](const Buffers& b) {
            if (*layer == nullptr) *layer = std::make_unique<Layer>(m, n, k);
            (*layer)->run(b);
          }};
}
#endif

Row row_of(int m, int n, int k) {
  Row row;
  row.lab = "gemm_fused";
  row.size = std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k) + ", float";
  const auto elements = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  row.inputs = {uniform_floats(elements(m, k)), uniform_floats(elements(k, n)),
                uniform_floats(elements(m, n))};
  row.output_bytes = sizeof(float) * elements(m, n);
  row.error = [=](const void* got, const void* want) {
    return relative_error(got, want, elements(m, n));
  };
  row.largest_error = 1e-5;  // floats; TF32 would differ by some 1e-4
  row.work = 2.0 * m * n * k;
  row.ceiling = Ceiling::multiply_add;
#ifdef AGAINST_HAS_CUBLAS
  row.contenders.push_back(library(m, n, k));
#else
  row.size += " (built without cuBLAS)";
#endif
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::gemm_fused(b.input<float>(0), b.input<float>(1),
                                                   b.input<float>(2), b.output<float>(), m, n, k);
                            }});
  return row;
}

const Registration kGemmFused("gemm_fused", [] {
  return std::vector<Row>{row_of(4096, 4096, 4096), row_of(4096, 4096, 512)};
});

}  // namespace
}  // namespace against
