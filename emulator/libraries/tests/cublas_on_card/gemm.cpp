#include <array>

#include "emulator/libraries/tests/cublas_on_card/recorder.h"

namespace cublas_on_card {
namespace {

constexpr std::array kOperations = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

struct Sizes {
  cublasOperation_t of_a, of_b;
  int m, n, k;

  [[nodiscard]] int rows_a() const { return of_a == CUBLAS_OP_N ? m : k; }
  [[nodiscard]] int columns_a() const { return of_a == CUBLAS_OP_N ? k : m; }
  [[nodiscard]] int rows_b() const { return of_b == CUBLAS_OP_N ? k : n; }
  [[nodiscard]] int columns_b() const { return of_b == CUBLAS_OP_N ? n : k; }
  [[nodiscard]] std::string text() const {
    return " " + std::to_string(of_a) + " " + std::to_string(of_b) + " " + std::to_string(m) + " " +
           std::to_string(n) + " " + std::to_string(k);
  }
};

/// What the factors alpha and beta are, and C before the call.
enum class Kind { both, zero_beta, fresh_c, zero_alpha };
constexpr std::array kKinds = {Kind::both, Kind::zero_beta, Kind::fresh_c, Kind::zero_alpha};

struct Types {
  Type inputs, output, scalar;
};

/// alpha, beta, A, B and C, of `batch` matrices each, one after the other.
std::vector<Array> operands(const Types& types, const Sizes& s, Kind kind, int batch, int gap) {
  const auto many = [&](Type type, int rows, int columns, int leading) {
    return matrix(type, rows, columns * batch, leading);
  };
  Array a = {types.inputs, Role::input,
             many(types.inputs, s.rows_a(), s.columns_a(), s.rows_a() + gap)};
  Array b = {types.inputs, Role::input,
             many(types.inputs, s.rows_b(), s.columns_b(), s.rows_b() + gap)};
  Array c = {types.output, Role::update,
             many(types.output, s.m, s.n, s.m + (kind == Kind::fresh_c ? 0 : gap))};
  if (kind == Kind::fresh_c) c.role = Role::result;
  if (kind == Kind::zero_beta) c.values.assign(c.values.size(), kNan);
  if (kind == Kind::zero_alpha) a.values.assign(a.values.size(), kNan);
  const bool zero = kind == Kind::zero_beta || kind == Kind::fresh_c;
  return {
      {types.scalar, Role::scalar, kind == Kind::zero_alpha ? Values{0} : numbers(types.scalar, 1)},
      {types.scalar, Role::scalar, zero ? Values{0} : numbers(types.scalar, 1)},
      std::move(a),
      std::move(b),
      std::move(c)};
}

void products(Recorder& recorder, Type type, const Sizes& s, Kind kind) {
  const cublasHandle_t h = recorder.handle();
  const int gap = 2;
  const int lda = s.rows_a() + gap;
  const int ldb = s.rows_b() + gap;
  const int ldc = s.m + (kind == Kind::fresh_c ? 0 : gap);
  const Bound bound = {s.k + 3.0, type};
  const std::string sizes = s.text() + " kind " + std::to_string(static_cast<int>(kind));
  const std::string name = std::string("cublas") + letter(type) + "gemm";
  recorder.record(name + sizes, operands({type, type, type}, s, kind, 1, gap), bound,
                  [&](const Addresses& a) {
                    return BY_TYPE(type, gemm, h, s.of_a, s.of_b, s.m, s.n, s.k, a[0], a[2], lda,
                                   a[3], ldb, a[1], a[4], ldc);
                  });
  const int batch = 3;
  const long long stride_a = static_cast<long long>(lda) * s.columns_a();
  const long long stride_b = static_cast<long long>(ldb) * s.columns_b();
  const long long stride_c = static_cast<long long>(ldc) * s.n;
  const std::vector<Array> many = operands({type, type, type}, s, kind, batch, gap);
  recorder.record(name + "StridedBatched" + sizes, many, bound, [&](const Addresses& a) {
    return BY_TYPE(type, gemmStridedBatched, h, s.of_a, s.of_b, s.m, s.n, s.k, a[0], a[2], lda,
                   stride_a, a[3], ldb, stride_b, a[1], a[4], ldc, stride_c, batch);
  });
  recorder.record(name + "StridedBatched of one B" + sizes, many, bound, [&](const Addresses& a) {
    return BY_TYPE(type, gemmStridedBatched, h, s.of_a, s.of_b, s.m, s.n, s.k, a[0], a[2], lda,
                   stride_a, a[3], ldb, 0, a[1], a[4], ldc, stride_c, batch);
  });
  recorder.record(name + "Batched" + sizes, many, bound, [&](const Addresses& a) {
    const std::size_t bytes = (type == Type::f32 ? 4U : type == Type::c64 ? 16U : 8U);
    std::array<char*, 9> host = {};
    const std::array<long long, 3> strides = {stride_a, stride_b, stride_c};
    for (std::size_t i = 0; i < host.size(); ++i) {
      host[i] = static_cast<char*>(a[2 + i / 3].at) + i % 3 * bytes * strides[i / 3];
    }
    void* device = nullptr;
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host.data(), sizeof host, cudaMemcpyHostToDevice);
    const auto array = [&](std::size_t index) {
      return Address{static_cast<char**>(device) + index};
    };
    const cublasStatus_t status = BY_TYPE(type, gemmBatched, h, s.of_a, s.of_b, s.m, s.n, s.k, a[0],
                                          array(0), lda, array(3), ldb, a[1], array(6), ldc, batch);
    cudaFree(device);
    return status;
  });
}

cudaDataType_t data_type(Type type) {
  switch (type) {
    case Type::f64:
      return CUDA_R_64F;
    case Type::c32:
      return CUDA_C_32F;
    case Type::c64:
      return CUDA_C_64F;
    case Type::f16:
      return CUDA_R_16F;
    case Type::bf16:
      return CUDA_R_16BF;
    default:
      return CUDA_R_32F;
  }
}

/// GemmEx and its strided form.
void typed(Recorder& recorder, const Types& types, cublasComputeType_t compute, const Sizes& s,
           Kind kind) {
  const cublasHandle_t h = recorder.handle();
  const int gap = 8;
  const int lda = s.rows_a() + gap;
  const int ldb = s.rows_b() + gap;
  const int ldc = s.m + (kind == Kind::fresh_c ? 0 : gap);
  // Tensor cores cut sums off instead of rounding them, which doubles the error; a narrower result
  // is rounded once more, by at most its half unit.
  const bool narrow = types.output == Type::f16 || types.output == Type::bf16;
  const bool in_half = compute == CUBLAS_COMPUTE_16F;
  Bound bound = {2 * (s.k + 3.0), types.output};
  if (narrow && !in_half) bound.operations = 1.01;
  const std::string name = "GemmEx types " + std::to_string(data_type(types.inputs)) + " " +
                           std::to_string(data_type(types.output)) + " compute " +
                           std::to_string(compute) + s.text() + " kind " +
                           std::to_string(static_cast<int>(kind));
  const cudaDataType_t in = data_type(types.inputs);
  const cudaDataType_t out = data_type(types.output);
  recorder.record(
      "cublas" + name, operands(types, s, kind, 1, gap), bound, [&](const Addresses& a) {
        return cublasGemmEx(h, s.of_a, s.of_b, s.m, s.n, s.k, a[0], a[2], in, lda, a[3], in, ldb,
                            a[1], a[4], out, ldc, compute, CUBLAS_GEMM_DEFAULT);
      });
  recorder.record(
      "cublasStrided" + name, operands(types, s, kind, 2, gap), bound, [&](const Addresses& a) {
        return cublasGemmStridedBatchedEx(h, s.of_a, s.of_b, s.m, s.n, s.k, a[0], a[2], in, lda,
                                          static_cast<long long>(lda) * s.columns_a(), a[3], in,
                                          ldb, static_cast<long long>(ldb) * s.columns_b(), a[1],
                                          a[4], out, ldc, static_cast<long long>(ldc) * s.n, 2,
                                          compute, CUBLAS_GEMM_DEFAULT);
      });
}

}  // namespace

void record_gemm(Recorder& recorder) {
  for (const Type type : kAll) {
    for (const auto of_a : kOperations) {
      for (const auto of_b : kOperations) {
        for (const Kind kind : kKinds) {
          products(recorder, type, {of_a, of_b, 7, 5, 9}, kind);
        }
        products(recorder, type, {of_a, of_b, 33, 21, 70}, Kind::both);
      }
    }
    for (const Sizes& s : {Sizes{CUBLAS_OP_N, CUBLAS_OP_N, 0, 3, 4},
                           {CUBLAS_OP_N, CUBLAS_OP_N, 3, 0, 4},
                           {CUBLAS_OP_N, CUBLAS_OP_N, 3, 4, 0},
                           {CUBLAS_OP_T, CUBLAS_OP_C, 3, 4, 0},
                           {CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1}}) {
      for (const Kind kind : kKinds) products(recorder, type, s, kind);
    }
  }
  const std::vector<std::pair<Types, cublasComputeType_t>> computations = {
      {{Type::f32, Type::f32, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::f32, Type::f32, Type::f32}, CUBLAS_COMPUTE_32F_PEDANTIC},
      {{Type::f64, Type::f64, Type::f64}, CUBLAS_COMPUTE_64F},
      {{Type::c32, Type::c32, Type::c32}, CUBLAS_COMPUTE_32F},
      {{Type::c64, Type::c64, Type::c64}, CUBLAS_COMPUTE_64F},
      {{Type::f16, Type::f16, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::f16, Type::f32, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::bf16, Type::bf16, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::bf16, Type::f32, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::f16, Type::f16, Type::f16}, CUBLAS_COMPUTE_16F},
      {{Type::f16, Type::f16, Type::f32}, CUBLAS_COMPUTE_16F},
      {{Type::bf16, Type::bf16, Type::f32}, CUBLAS_COMPUTE_16F},
      {{Type::f16, Type::f64, Type::f32}, CUBLAS_COMPUTE_32F},
      {{Type::f64, Type::f64, Type::f64}, CUBLAS_COMPUTE_32F}};
  for (const auto& [types, compute] : computations) {
    for (const auto of_a : {CUBLAS_OP_N, CUBLAS_OP_T}) {
      for (const auto of_b : {CUBLAS_OP_N, CUBLAS_OP_C}) {
        for (const Kind kind : kKinds) {
          typed(recorder, types, compute, {of_a, of_b, 24, 16, 40}, kind);
          typed(recorder, types, compute, {of_a, of_b, 7, 5, 9}, kind);
        }
      }
    }
  }
}

}  // namespace cublas_on_card
