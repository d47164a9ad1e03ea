#include <cublasLt.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

// Programs that call cublasLt with one mistake each, and the nearest ones without it, selected by
// name.

namespace {

using Array = DeviceArray<float>;

std::vector<float> ones(std::size_t count) {
  return std::vector<float>(count, 1);
}

/// D (4 x 3) = A (4 x 5) B (5 x 3)
struct Product {
  std::int64_t lda = 4;
  std::size_t a_elements = 20;
  std::uint64_t inner = 5;  // of B
  bool written = true;
  int epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  int bias_elements = -1;  // -1: no bias is set
  std::int64_t auxiliary_leading = 0;
  cudaDataType d_type = CUDA_R_32F;
  bool has_handle = true;
  bool has_algorithm = true;
  bool destroys = false;

  int run() const {
    cublasLtHandle_t handle = nullptr;
    cublasLtCreate(&handle);
    cublasLtMatmulDesc_t descriptor = nullptr;
    cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F);
    cublasLtMatmulDescSetAttribute(descriptor, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                   sizeof(epilogue));
    const Array bias(ones(static_cast<std::size_t>(bias_elements < 0 ? 1 : bias_elements)));
    const Array auxiliary(512);
    void* const bias_pointer = bias.get();
    void* const auxiliary_pointer = auxiliary.get();
    if (bias_elements >= 0) {
      cublasLtMatmulDescSetAttribute(descriptor, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias_pointer,
                                     sizeof(bias_pointer));
    }
    if (auxiliary_leading != 0) {
      cublasLtMatmulDescSetAttribute(descriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
                                     &auxiliary_pointer, sizeof(auxiliary_pointer));
      cublasLtMatmulDescSetAttribute(descriptor, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
                                     &auxiliary_leading, sizeof(auxiliary_leading));
    }
    cublasLtMatrixLayout_t a_layout = nullptr, b_layout = nullptr, d_layout = nullptr;
    cublasLtMatrixLayoutCreate(&a_layout, CUDA_R_32F, 4, 5, lda);
    cublasLtMatrixLayoutCreate(&b_layout, CUDA_R_32F, inner, 3, static_cast<std::int64_t>(inner));
    cublasLtMatrixLayoutCreate(&d_layout, d_type, 4, 3, 4);
    const Array a(a_elements), b(ones(18)), d(24);
    if (written) cudaMemset(a.get(), 0, a_elements * sizeof(float));
    cublasLtMatmulAlgo_t algorithm = {};
    const float one = 1, zero = 0;
    if (destroys) cublasLtDestroy(handle);
    const cublasStatus_t status =
        cublasLtMatmul(has_handle ? handle : nullptr, descriptor, &one, a.get(), a_layout, b.get(),
                       b_layout, &zero, d.get(), d_layout, d.get(), d_layout,
                       has_algorithm ? nullptr : &algorithm, nullptr, 0, nullptr);
    std::printf("%s, then %s\n", cublasLtGetStatusName(status),
                cudaGetErrorName(cudaDeviceSynchronize()));
    cublasLtMatrixLayoutDestroy(a_layout);
    cublasLtMatrixLayoutDestroy(b_layout);
    cublasLtMatrixLayoutDestroy(d_layout);
    cublasLtMatmulDescDestroy(descriptor);
    if (!destroys) cublasLtDestroy(handle);
    return 0;
  }
};

/// One stream writes D, another reads it.
int streams(bool ordered) {
  cublasLtHandle_t handle = nullptr;
  cublasLtCreate(&handle);
  cublasLtMatmulDesc_t descriptor = nullptr;
  cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatrixLayout_t layout = nullptr;
  cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 2, 2, 2);
  const Array a(ones(4)), b(4), c(4);
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  const float one = 1, zero = 0;
  const auto multiply = [&](const Array& from, const Array& to, cudaStream_t stream) {
    cublasLtMatmul(handle, descriptor, &one, from.get(), layout, from.get(), layout, &zero,
                   to.get(), layout, to.get(), layout, nullptr, nullptr, 0, stream);
  };
  multiply(a, b, first);
  if (ordered) cudaStreamSynchronize(first);
  multiply(b, c, second);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}

/// A scale of FP8. @param set  or its default
int scaled(bool set) {
  cublasLtMatmulDesc_t descriptor = nullptr;
  cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const Array scale(ones(1));
  void* const pointer = set ? scale.get() : nullptr;
  const cublasStatus_t status = cublasLtMatmulDescSetAttribute(
      descriptor, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &pointer, sizeof(pointer));
  std::printf("%s\n", cublasLtGetStatusName(status));
  return 0;
}

int unknown_attribute() {
  cublasLtMatmulDesc_t descriptor = nullptr;
  cublasLtMatmulDescCreate(&descriptor, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const int value = 1;
  const cublasStatus_t status = cublasLtMatmulDescSetAttribute(
      descriptor, static_cast<cublasLtMatmulDescAttributes_t>(63), &value, sizeof(value));
  std::printf("%s\n", cublasLtGetStatusName(status));
  return 0;
}

int missing() {
  cublasLtMatrixTransformDesc_t descriptor = nullptr;
  const cublasStatus_t status = cublasLtMatrixTransformDescCreate(&descriptor, CUDA_R_32F);
  std::printf("%s\n", cublasLtGetStatusName(status));
  return 0;
}

int run(const char* name) {
  const auto is = [&](const char* known) { return std::strcmp(name, known) == 0; };
  if (is("product")) return Product{}.run();
  if (is("small_ld")) return Product{.lda = 3}.run();
  if (is("large_ld")) return Product{.lda = 5}.run();
  if (is("large_ld_fits")) return Product{.lda = 5, .a_elements = 24}.run();
  if (is("inner_mismatch")) return Product{.inner = 6}.run();
  if (is("uninitialized")) return Product{.written = false}.run();
  if (is("bias_unset")) return Product{.epilogue = CUBLASLT_EPILOGUE_BIAS}.run();
  if (is("bias_short")) {
    return Product{.epilogue = CUBLASLT_EPILOGUE_BIAS, .bias_elements = 3}.run();
  }
  if (is("bias")) return Product{.epilogue = CUBLASLT_EPILOGUE_BIAS, .bias_elements = 4}.run();
  if (is("auxiliary_leading")) {
    return Product{
        .epilogue = CUBLASLT_EPILOGUE_RELU_AUX_BIAS, .bias_elements = 4, .auxiliary_leading = 64}
        .run();
  }
  if (is("auxiliary")) {
    return Product{
        .epilogue = CUBLASLT_EPILOGUE_RELU_AUX_BIAS, .bias_elements = 4, .auxiliary_leading = 128}
        .run();
  }
  if (is("gradient")) return Product{.epilogue = CUBLASLT_EPILOGUE_DGELU}.run();
  if (is("types")) return Product{.d_type = CUDA_R_64F}.run();
  if (is("no_handle")) return Product{.has_handle = false}.run();
  if (is("destroyed_handle")) return Product{.destroys = true}.run();
  if (is("no_algorithm")) return Product{.has_algorithm = false}.run();
  if (is("stream_race")) return streams(false);
  if (is("stream_order")) return streams(true);
  if (is("scaled")) return scaled(true);
  if (is("scaled_by_default")) return scaled(false);
  if (is("unknown_attribute")) return unknown_attribute();
  if (is("missing")) return missing();
  return 2;
}

}  // namespace

int main(int count, char** names) {
  return count == 2 ? run(names[1]) : 2;
}
