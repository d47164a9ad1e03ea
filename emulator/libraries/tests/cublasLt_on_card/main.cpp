#include <cublasLt.h>
#include <cuda_runtime.h>

#include <memory>

#include "emulator/libraries/tests/device_array.h"
#include "emulator/libraries/tests/on_card.h"

// Calls of cublasLt with fixed inputs, compiled against the toolkit's, and run twice by
// scripts/gpu_libraries.

namespace {

using on_card::kIsComplexNumber;

template <class T>
constexpr cudaDataType kType = CUDA_R_32F;
template <>
constexpr cudaDataType kType<double> = CUDA_R_64F;
template <>
constexpr cudaDataType kType<std::complex<float>> = CUDA_C_32F;
template <>
constexpr cudaDataType kType<std::complex<double>> = CUDA_C_64F;
template <>
constexpr cudaDataType kType<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType kType<__nv_bfloat16> = CUDA_R_16BF;

/// A matrix in device memory and its layout.
template <class T>
struct Matrix {
  std::vector<T> host;
  std::unique_ptr<DeviceArray<T>> memory;
  cublasLtMatrixLayout_t layout = nullptr;

  Matrix(int rows, int columns, cublasLtOrder_t order, int batch = 1) {
    const int leading = order == CUBLASLT_ORDER_ROW ? columns : rows;
    const std::int64_t stride = std::int64_t{rows} * columns;
    for (std::int64_t i = 0; i < stride * batch; ++i) host.push_back(on_card::random_value<T>());
    memory = std::make_unique<DeviceArray<T>>(host);
    cublasLtMatrixLayoutCreate(&layout, kType<T>, static_cast<std::uint64_t>(rows),
                               static_cast<std::uint64_t>(columns), leading);
    set(CUBLASLT_MATRIX_LAYOUT_ORDER, order);
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch);
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride);
  }
  ~Matrix() { cublasLtMatrixLayoutDestroy(layout); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  template <class Value>
  void set(cublasLtMatrixLayoutAttribute_t attribute, Value value) {
    cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof(value));
  }
};

class Descriptor {
 public:
  Descriptor(cublasComputeType_t compute, cudaDataType scale) {
    cublasLtMatmulDescCreate(&made_, compute, scale);
  }
  ~Descriptor() { cublasLtMatmulDescDestroy(made_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  template <class Value>
  int set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    return cublasLtMatmulDescSetAttribute(made_, attribute, &value, sizeof(value));
  }
  [[nodiscard]] cublasLtMatmulDesc_t get() const { return made_; }

 private:
  cublasLtMatmulDesc_t made_ = nullptr;
};

constexpr int kRows = 32, kColumns = 24, kInner = 48;

/// One product. @tparam T, S, U  of A and B, of the factors, and of C and D
template <class T, class S, class U>
void product(cublasLtHandle_t handle, const std::string& kind, cublasComputeType_t compute,
             cublasOperation_t ta, cublasOperation_t tb, int orders, int epilogue, int batch,
             bool beta_is_zero) {
  const auto order = [&](int bit) {
    return (orders >> bit & 1) != 0 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
  };
  const bool plain_a = ta == CUBLAS_OP_N, plain_b = tb == CUBLAS_OP_N;
  const Matrix<T> a(plain_a ? kRows : kInner, plain_a ? kInner : kRows, order(0), batch);
  const Matrix<T> b(plain_b ? kInner : kColumns, plain_b ? kColumns : kInner, order(1), batch);
  const Matrix<U> c(kRows, kColumns, order(2), batch), d(kRows, kColumns, order(2), batch);
  std::vector<U> biases;
  for (int i = 0; i < kRows; ++i) biases.push_back(on_card::random_value<U>());
  const DeviceArray<U> bias(biases);
  Descriptor descriptor(compute, kType<S>);
  descriptor.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
  descriptor.set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
  descriptor.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  if ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0) {
    descriptor.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.get()));
  }
  const bool keeps = (epilogue & 128) != 0;
  const std::vector<U> empty(static_cast<std::size_t>(128 * kColumns), U(0.0F));
  const DeviceArray<U> auxiliary(empty);
  if (keeps) {
    descriptor.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(auxiliary.get()));
    descriptor.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{128});
  }
  const S alpha = on_card::random_value<S>();
  const S beta = beta_is_zero ? S(0.0F) : on_card::random_value<S>();
  const int status = cublasLtMatmul(handle, descriptor.get(), &alpha, a.memory->get(), a.layout,
                                    b.memory->get(), b.layout, &beta, c.memory->get(), c.layout,
                                    d.memory->get(), d.layout, nullptr, nullptr, 0, nullptr);
  const std::string name = kind + " " + std::to_string(ta) + std::to_string(tb) + " orders " +
                           std::to_string(orders) + " epilogue " + std::to_string(epilogue) +
                           " batch " + std::to_string(batch) + (beta_is_zero ? " beta 0" : "");
  // In f16 the sums of the tensor cores are rounded more often; TF32 rounds A and B.
  const bool tf32 = compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const double operations = tf32 ? 1 << 14 : 2.0 * (kInner + 4);
  const double activation = (epilogue & 32) != 0 ? 64 : 1;
  using Sum = std::conditional_t<sizeof(S) == 2, __half, S>;
  on_card::line<Sum>(name, status, d.memory->values(),
                     {kInner * (kIsComplexNumber<T> ? 2.0 : 1.0) * activation / 4 + 2}, operations);
  if (keeps && (epilogue & 2) != 0) {
    const auto kept = auxiliary.values();
    const auto* const bytes = reinterpret_cast<const unsigned char*>(kept.data());
    std::vector<int> bits;
    for (int i = 0; i < kColumns * 16; ++i) bits.push_back(bytes[i]);
    on_card::line<Sum>(name + " auxiliary", status, bits, {0}, 0);
  } else if (keeps) {
    on_card::line<Sum>(name + " auxiliary", status, auxiliary.values(), {kInner / 4.0 + 2},
                       operations);
  }
}

template <class T, class S, class U>
void products(cublasLtHandle_t handle, const std::string& kind, cublasComputeType_t compute) {
  for (const auto ta : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
    for (const auto tb : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C}) {
      for (const bool zero : {false, true}) {
        product<T, S, U>(handle, kind, compute, ta, tb, 0, CUBLASLT_EPILOGUE_DEFAULT, 1, zero);
      }
    }
  }
  for (int orders = 1; orders < 8; ++orders) {
    for (const int epilogue : {1, 4}) {
      product<T, S, U>(handle, kind, compute, CUBLAS_OP_N, CUBLAS_OP_T, orders, epilogue, 1, false);
    }
  }
  for (const int epilogue : {2, 4, 6, 32, 36, 130, 134, 160, 164, 136, 152, 192, 208, 256, 512}) {
    product<T, S, U>(handle, kind, compute, CUBLAS_OP_N, CUBLAS_OP_N, 0, epilogue, 1, false);
  }
  product<T, S, U>(handle, kind, compute, CUBLAS_OP_T, CUBLAS_OP_N, 0, 1, 3, false);
}

void refusals(cublasLtHandle_t handle) {
  const float one = 1, zero = 0;
  const Matrix<float> a(kRows, kInner, CUBLASLT_ORDER_COL), b(kInner, kColumns, CUBLASLT_ORDER_COL),
      d(kRows, kColumns, CUBLASLT_ORDER_COL), other(kRows, kInner + 1, CUBLASLT_ORDER_COL),
      twice(kRows, kInner, CUBLASLT_ORDER_COL, 2);
  cublasLtMatrixLayout_t small = nullptr;
  cublasLtMatrixLayoutCreate(&small, CUDA_R_32F, kRows, kInner, kRows - 1);
  const auto call = [&](const char* name, Descriptor& descriptor, cublasLtMatrixLayout_t layout,
                        const float* beta, const void* c) {
    on_card::line(name, cublasLtMatmul(handle, descriptor.get(), &one, a.memory->get(), layout,
                                       b.memory->get(), b.layout, beta, c, d.layout,
                                       d.memory->get(), d.layout, nullptr, nullptr, 0, nullptr));
  };
  Descriptor plain(CUBLAS_COMPUTE_32F, CUDA_R_32F), scaled(CUBLAS_COMPUTE_32F, CUDA_R_64F),
      wide(CUBLAS_COMPUTE_64F, CUDA_R_64F), biased(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  call("plain", plain, a.layout, &zero, d.memory->get());
  call("ld below the rows", plain, small, &zero, d.memory->get());
  call("inner sizes differ", plain, other.layout, &zero, d.memory->get());
  call("batch counts differ", plain, twice.layout, &zero, d.memory->get());
  call("C is null, beta is 0", plain, a.layout, &zero, nullptr);
  call("scale type of another type", scaled, a.layout, &zero, d.memory->get());
  call("compute type of another type", wide, a.layout, &zero, d.memory->get());
  call("layout is null", plain, nullptr, &zero, d.memory->get());
  biased.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
  call("bias is not set", biased, a.layout, &zero, d.memory->get());
  const int value = 1;
  on_card::line("attribute 63", cublasLtMatmulDescSetAttribute(
                                    plain.get(), static_cast<cublasLtMatmulDescAttributes_t>(63),
                                    &value, sizeof(value)));
  on_card::line("attribute of 2 bytes", cublasLtMatmulDescSetAttribute(
                                            plain.get(), CUBLASLT_MATMUL_DESC_EPILOGUE, &value, 2));
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  cublasLtMatmulHeuristicResult_t results[2];
  int count = 0;
  const auto heuristic = [&](const char* name, Descriptor& descriptor,
                             cublasLtMatrixLayout_t layout, int asked) {
    on_card::line(
        name, cublasLtMatmulAlgoGetHeuristic(handle, descriptor.get(), layout, b.layout, d.layout,
                                             d.layout, preference, asked, results, &count));
  };
  heuristic("heuristic", plain, a.layout, 1);
  heuristic("heuristic of 0", plain, a.layout, 0);
  heuristic("heuristic, inner sizes differ", plain, other.layout, 1);
  heuristic("heuristic, compute type of another type", wide, a.layout, 1);
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(small);
}

}  // namespace

int main() {
  cudaDeviceProp properties;
  cublasLtHandle_t handle = nullptr;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  if (cublasLtCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  std::printf("# %s, cublasLt %zu\n", properties.name, cublasLtGetVersion());
  products<float, float, float>(handle, "f32", CUBLAS_COMPUTE_32F);
  products<float, float, float>(handle, "tf32", CUBLAS_COMPUTE_32F_FAST_TF32);
  products<double, double, double>(handle, "f64", CUBLAS_COMPUTE_64F);
  products<__half, float, __half>(handle, "f16", CUBLAS_COMPUTE_32F);
  products<__half, float, float>(handle, "f16 to f32", CUBLAS_COMPUTE_32F);
  products<__half, __half, __half>(handle, "f16 in f16", CUBLAS_COMPUTE_16F);
  products<__nv_bfloat16, float, __nv_bfloat16>(handle, "bf16", CUBLAS_COMPUTE_32F);
  products<__nv_bfloat16, float, float>(handle, "bf16 to f32", CUBLAS_COMPUTE_32F);
  products<std::complex<float>, std::complex<float>, std::complex<float>>(handle, "c32",
                                                                          CUBLAS_COMPUTE_32F);
  products<std::complex<double>, std::complex<double>, std::complex<double>>(handle, "c64",
                                                                             CUBLAS_COMPUTE_64F);
  refusals(handle);
  cublasLtDestroy(handle);
}
