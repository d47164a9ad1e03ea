#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "emulator/libraries/cublasLt/types.h"
#include "emulator/libraries/tests/device_array.h"

// Results of cublasLtMatmul, against sums written out here.

namespace {

using Complex = std::complex<float>;
namespace own = warpsim::cublas_lt;

static_assert(static_cast<int>(own::Order::row) == CUBLASLT_ORDER_ROW);
static_assert(own::kRelu == CUBLASLT_EPILOGUE_RELU);
static_assert((own::kRelu | own::kAuxiliary | own::kBias) == CUBLASLT_EPILOGUE_RELU_AUX_BIAS);
static_assert((own::kGelu | own::kAuxiliary) == CUBLASLT_EPILOGUE_GELU_AUX);
static_assert((own::kGelu | own::kBias) == CUBLASLT_EPILOGUE_GELU_BIAS);
static_assert(own::kPointerModes == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST + 1);
static_assert(sizeof(own::HeuristicResult) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(own::HeuristicResult, waves) ==
              offsetof(cublasLtMatmulHeuristicResult_t, wavesCount));
static_assert(sizeof(own::Layout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(own::MatmulDescriptor) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(own::Preference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));

template <class T>
constexpr cudaDataType kType = CUDA_R_32F;
template <>
constexpr cudaDataType kType<double> = CUDA_R_64F;
template <>
constexpr cudaDataType kType<Complex> = CUDA_C_32F;
template <>
constexpr cudaDataType kType<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType kType<__nv_bfloat16> = CUDA_R_16BF;

/// A matrix in host memory by columns, and its copy in device memory in an order, with gaps.
template <class T>
class Matrix {
 public:
  Matrix(int rows, int columns, int seed, cublasLtOrder_t order = CUBLASLT_ORDER_COL)
      : rows_(rows),
        columns_(columns),
        order_(order),
        leading_((order == CUBLASLT_ORDER_ROW ? columns : rows) + 3),
        all_(static_cast<std::size_t>(leading_ * (order == CUBLASLT_ORDER_ROW ? rows : columns))),
        memory((fill(seed), all_)) {
    cublasLtMatrixLayoutCreate(&layout, kType<T>, static_cast<std::uint64_t>(rows),
                               static_cast<std::uint64_t>(columns), leading_);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof(order));
  }
  ~Matrix() { cublasLtMatrixLayoutDestroy(layout); }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;

  [[nodiscard]] int rows() const { return rows_; }
  [[nodiscard]] int columns() const { return columns_; }
  /// An element of the host's copy, or of values from the device.
  [[nodiscard]] T at(int row, int column) const { return all_[place(row, column)]; }
  [[nodiscard]] T at(const std::vector<T>& values, int row, int column) const {
    return values[place(row, column)];
  }

 private:
  [[nodiscard]] std::size_t place(int row, int column) const {
    return static_cast<std::size_t>(order_ == CUBLASLT_ORDER_ROW ? row * leading_ + column
                                                                 : column * leading_ + row);
  }
  void fill(int seed) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const int number = static_cast<int>((i * 7 + static_cast<std::size_t>(seed)) % 9) - 4;
      if constexpr (std::is_same_v<T, Complex>) {
        all_[i] = {static_cast<float>(number), static_cast<float>(number * 3 % 5)};
      } else {
        all_[i] = static_cast<T>(static_cast<float>(number));
      }
    }
  }

  int rows_, columns_;
  cublasLtOrder_t order_;
  int leading_;
  std::vector<T> all_;

 public:
  const DeviceArray<T> memory;
  cublasLtMatrixLayout_t layout = nullptr;
};

struct Light {
  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t descriptor = nullptr;

  explicit Light(cublasComputeType_t compute = CUBLAS_COMPUTE_32F,
                 cudaDataType scale = CUDA_R_32F) {
    REQUIRE(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    REQUIRE(cublasLtMatmulDescCreate(&descriptor, compute, scale) == CUBLAS_STATUS_SUCCESS);
  }
  ~Light() {
    cublasLtMatmulDescDestroy(descriptor);
    cublasLtDestroy(handle);
  }
  Light(const Light&) = delete;
  Light& operator=(const Light&) = delete;

  template <class Value>
  void set(cublasLtMatmulDescAttributes_t attribute, Value value) {
    REQUIRE(cublasLtMatmulDescSetAttribute(descriptor, attribute, &value, sizeof(value)) ==
            CUBLAS_STATUS_SUCCESS);
  }
  template <class S, class T, class U>
  cublasStatus_t multiply(const S* alpha, const Matrix<T>& a, const Matrix<T>& b, const S* beta,
                          const Matrix<U>& c, const Matrix<U>& d, cudaStream_t stream = nullptr) {
    return cublasLtMatmul(handle, descriptor, alpha, a.memory.get(), a.layout, b.memory.get(),
                          b.layout, beta, c.memory.get(), c.layout, d.memory.get(), d.layout,
                          nullptr, nullptr, 0, stream);
  }
};

template <class T>
T conjugated(T value, cublasOperation_t operation) {
  if constexpr (std::is_same_v<T, Complex>) {
    if (operation == CUBLAS_OP_C) return std::conj(value);
  }
  return value;
}

/// The element of op(A) op(B), summed in S.
template <class S, class T>
S element(const Matrix<T>& a, cublasOperation_t ta, const Matrix<T>& b, cublasOperation_t tb,
          int row, int column) {
  const int inner = ta == CUBLAS_OP_N ? a.columns() : a.rows();
  S sum = {};
  for (int k = 0; k < inner; ++k) {
    const T x = ta == CUBLAS_OP_N ? a.at(row, k) : conjugated(a.at(k, row), ta);
    const T y = tb == CUBLAS_OP_N ? b.at(k, column) : conjugated(b.at(column, k), tb);
    sum += static_cast<S>(x) * static_cast<S>(y);
  }
  return sum;
}

constexpr auto kOperations = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
constexpr auto kOrders = {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW};

/// All operations and orders. @tparam S  of sums and scalars
template <class T, class S>
void check_products(cublasComputeType_t compute) {
  const S alpha = 2, beta = 3;
  for (const auto ta : kOperations) {
    for (const auto tb : kOperations) {
      for (const auto order : kOrders) {
        Light light(compute, kType<S>);
        light.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
        light.set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
        const Matrix<T> a(ta == CUBLAS_OP_N ? 4 : 5, ta == CUBLAS_OP_N ? 5 : 4, 1, order);
        const Matrix<T> b(tb == CUBLAS_OP_N ? 5 : 3, tb == CUBLAS_OP_N ? 3 : 5, 2);
        const Matrix<T> c(4, 3, 3), d(4, 3, 4, order);
        REQUIRE(light.multiply(&alpha, a, b, &beta, c, d) == CUBLAS_STATUS_SUCCESS);
        const auto result = d.memory.values();
        for (int row = 0; row < 4; ++row) {
          for (int column = 0; column < 3; ++column) {
            const S want = alpha * element<S>(a, ta, b, tb, row, column) +
                           beta * static_cast<S>(c.at(row, column));
            CHECK(static_cast<S>(d.at(result, row, column)) ==
                  static_cast<S>(static_cast<T>(want)));
          }
        }
      }
    }
  }
}

float gelu(float x) {
  return static_cast<float>(0.5 * x *
                            (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))));
}

}  // namespace

TEST_CASE("cublasLt multiplies matrices of all types, operations and orders",
          "[libraries][cublasLt]") {
  check_products<float, float>(CUBLAS_COMPUTE_32F);
  check_products<float, float>(CUBLAS_COMPUTE_32F_FAST_TF32);
  check_products<double, double>(CUBLAS_COMPUTE_64F);
  check_products<Complex, Complex>(CUBLAS_COMPUTE_32F);
  check_products<__half, float>(CUBLAS_COMPUTE_32F);
  check_products<__nv_bfloat16, float>(CUBLAS_COMPUTE_32F);
}

TEST_CASE("cublasLt multiplies f16 to float, and with f16 factors", "[libraries][cublasLt]") {
  const Matrix<__half> a(2, 3, 1), b(3, 2, 2), narrow(2, 2, 3);
  const Matrix<float> wide(2, 2, 3);
  const float one = 1, zero = 0;
  Light in_float;
  REQUIRE(in_float.multiply(&one, a, b, &zero, wide, wide) == CUBLAS_STATUS_SUCCESS);
  CHECK(wide.at(wide.memory.values(), 1, 0) ==
        element<float>(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 1, 0));
  Light in_half(CUBLAS_COMPUTE_16F, CUDA_R_16F);
  const __half two = 2.0F, none = 0.0F;
  REQUIRE(in_half.multiply(&two, a, b, &none, narrow, narrow) == CUBLAS_STATUS_SUCCESS);
  CHECK(static_cast<float>(narrow.at(narrow.memory.values(), 1, 0)) ==
        2 * element<float>(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 1, 0));
}

TEST_CASE("cublasLt adds a bias and applies an activation", "[libraries][cublasLt]") {
  const float alpha = 1, beta = 2;
  const std::vector<float> biases = {-20, 1, 0.5F, 30};
  const DeviceArray<float> bias(biases);
  for (const auto epilogue :
       {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
        CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS}) {
    Light light;
    const auto has = [&](int part) { return (epilogue & part) != 0; };
    light.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    light.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.get()));
    const DeviceArray<float> auxiliary(512);
    light.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(auxiliary.get()));
    light.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{128});
    const Matrix<float> a(4, 5, 1), b(5, 3, 2), c(4, 3, 3), d(4, 3, 4);
    REQUIRE(light.multiply(&alpha, a, b, &beta, c, d) == CUBLAS_STATUS_SUCCESS);
    const auto result = d.memory.values();
    const auto kept = auxiliary.values();
    for (int row = 0; row < 4; ++row) {
      for (int column = 0; column < 3; ++column) {
        float x =
            element<float>(a, CUBLAS_OP_N, b, CUBLAS_OP_N, row, column) + 2 * c.at(row, column);
        if (has(CUBLASLT_EPILOGUE_BIAS)) x += biases[static_cast<std::size_t>(row)];
        if (has(128)) {
          if (has(CUBLASLT_EPILOGUE_RELU)) {
            const auto* const bytes = reinterpret_cast<const unsigned char*>(kept.data());
            CHECK((bytes[column * 16] >> row & 1) == (x > 0 ? 1 : 0));
          } else {
            CHECK(kept[static_cast<std::size_t>(column * 128 + row)] == x);
          }
        }
        const float want = has(CUBLASLT_EPILOGUE_RELU)   ? std::max(x, 0.0F)
                           : has(CUBLASLT_EPILOGUE_GELU) ? gelu(x)
                                                         : x;
        CHECK(d.at(result, row, column) == Catch::Approx(want).margin(1e-5));
      }
    }
  }
}

TEST_CASE("cublasLt multiplies batches", "[libraries][cublasLt]") {
  Light light;
  const DeviceArray<float> a(std::vector<float>{2, 3}), b(std::vector<float>{5}),
      d(std::vector<float>{0, 0, 0});
  cublasLtMatrixLayout_t layouts[3];
  const std::int64_t strides[] = {1, 0, 2};
  for (int i = 0; i < 3; ++i) {
    cublasLtMatrixLayoutCreate(&layouts[i], CUDA_R_32F, 1, 1, 1);
    const int batch = 2;
    cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch,
                                     sizeof(batch));
    cublasLtMatrixLayoutSetAttribute(layouts[i], CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                     &strides[i], sizeof(strides[i]));
  }
  const float one = 1, zero = 0;
  REQUIRE(cublasLtMatmul(light.handle, light.descriptor, &one, a.get(), layouts[0], b.get(),
                         layouts[1], &zero, d.get(), layouts[2], d.get(), layouts[2], nullptr,
                         nullptr, 0, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(d.values() == std::vector<float>{10, 0, 15});
  for (const auto layout : layouts) cublasLtMatrixLayoutDestroy(layout);
}

TEST_CASE("cublasLt takes its factors from device memory", "[libraries][cublasLt]") {
  Light light;
  light.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, CUBLASLT_POINTER_MODE_DEVICE);
  const DeviceArray<float> factors(std::vector<float>{2, 0});
  const Matrix<float> a(2, 2, 1), b(2, 2, 2), d(2, 2, 3);
  REQUIRE(light.multiply<float>(factors.get(), a, b, factors.get() + 1, d, d) ==
          CUBLAS_STATUS_SUCCESS);
  CHECK(d.at(d.memory.values(), 1, 1) == 2 * element<float>(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 1, 1));
}

TEST_CASE("cublasLt finds one algorithm for a product, and runs it", "[libraries][cublasLt]") {
  Light light;
  const Matrix<float> a(2, 2, 1), b(2, 2, 2), d(2, 2, 3);
  cublasLtMatmulPreference_t preference = nullptr;
  REQUIRE(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  const std::size_t workspace = 1 << 20;
  REQUIRE(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &workspace,
                                               sizeof(workspace)) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t results[4];
  int count = 0;
  REQUIRE(cublasLtMatmulAlgoGetHeuristic(light.handle, light.descriptor, a.layout, b.layout,
                                         d.layout, d.layout, preference, 4, results,
                                         &count) == CUBLAS_STATUS_SUCCESS);
  REQUIRE(count == 1);
  CHECK(results[0].state == CUBLAS_STATUS_SUCCESS);
  CHECK(results[0].workspaceSize == 0);
  const float one = 1, zero = 0;
  REQUIRE(cublasLtMatmul(light.handle, light.descriptor, &one, a.memory.get(), a.layout,
                         b.memory.get(), b.layout, &zero, d.memory.get(), d.layout, d.memory.get(),
                         d.layout, &results[0].algo, nullptr, 0, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(d.at(d.memory.values(), 0, 1) == element<float>(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 0, 1));
  cublasLtMatmulPreferenceDestroy(preference);
}

TEST_CASE("descriptors of cublasLt may lie on the stack, and give back their attributes",
          "[libraries][cublasLt]") {
  cublasLtMatrixLayoutOpaque_t layout;
  REQUIRE(cublasLtMatrixLayoutInit(&layout, CUDA_R_16F, 3, 4, 5) == CUBLAS_STATUS_SUCCESS);
  std::uint64_t rows = 0;
  std::int64_t leading = 0;
  std::size_t written = 0;
  CHECK(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_ROWS, &rows, sizeof(rows),
                                         &written) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatrixLayoutGetAttribute(&layout, CUBLASLT_MATRIX_LAYOUT_LD, &leading,
                                         sizeof(leading), nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK((rows == 3 && leading == 5 && written == sizeof(rows)));
  cublasLtMatmulDescOpaque_t matmul;
  REQUIRE(cublasLtMatmulDescInit(&matmul, CUBLAS_COMPUTE_64F, CUDA_R_64F) == CUBLAS_STATUS_SUCCESS);
  int compute = 0;
  CHECK(cublasLtMatmulDescGetAttribute(&matmul, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, &compute,
                                       sizeof(compute), nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(compute == CUBLAS_COMPUTE_64F);
  const int epilogue = CUBLASLT_EPILOGUE_RELU;
  CHECK(cublasLtMatmulDescSetAttribute(&matmul, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, 2) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatmulDescSetAttribute(&matmul, static_cast<cublasLtMatmulDescAttributes_t>(63),
                                       &epilogue, 4) == CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE("a product of cublasLt runs in the call's stream, also in a graph",
          "[libraries][cublasLt]") {
  Light light;
  const Matrix<float> a(1, 1, 2), b(1, 1, 3), d(1, 1, 4);
  const float one = 1;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  CHECK(light.multiply(&one, a, b, &one, d, d, stream) == CUBLAS_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  cudaGraphExec_t executable = nullptr;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  CHECK(d.at(d.memory.values(), 0, 0) == d.at(0, 0) + 2 * a.at(0, 0) * b.at(0, 0));
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST_CASE("cublasLt names its statuses and version", "[libraries][cublasLt]") {
  CHECK(std::strcmp(cublasLtGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
                    "CUBLAS_STATUS_NOT_SUPPORTED") == 0);
  CHECK(cublasLtGetVersion() == CUBLAS_VERSION);
  CHECK(cublasLtGetCudartVersion() == CUDART_VERSION);
}
