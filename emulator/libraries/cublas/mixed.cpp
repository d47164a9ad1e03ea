#include <optional>
#include <vector>

#include "emulator/libraries/cublas/gemm.h"
#include "emulator/libraries/cublas/product_types.h"

// Products whose matrices have other types than the computation: f16 and bf16 with sums in float.

namespace warpsim::cublas {
namespace {

using libraries::from_half;
using libraries::load;
using libraries::store;

/// A matrix as floats, without gaps between its columns.
std::vector<float> as_floats(DataType type, const std::byte* matrix, const MatrixShape& shape) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(shape.rows * shape.columns));
  for (std::int64_t column = 0; column < shape.columns; ++column) {
    for (std::int64_t row = 0; row < shape.rows; ++row) {
      values.push_back(
          load<float>(type, matrix, static_cast<std::size_t>(column * shape.leading + row)));
    }
  }
  return values;
}

/// A product with sums in float; the result is rounded once, to the type of C.
void multiply_converted(const Types& types, const GemmSizes& sizes, float alpha, float beta,
                        const std::byte* a, const std::byte* b, std::byte* c) {
  const bool used = alpha != 0 && sizes.k > 0;
  const std::vector<float> left = used ? as_floats(types.a, a, sizes.a()) : std::vector<float>();
  const std::vector<float> right = used ? as_floats(types.b, b, sizes.b()) : std::vector<float>();
  std::vector<float> sums(static_cast<std::size_t>(sizes.m * sizes.n));
  if (beta != 0) sums = as_floats(types.c, c, sizes.c());
  const auto least_one = [](std::int64_t rows) { return as_int(std::max<std::int64_t>(rows, 1)); };
  ::cblas_sgemm(CblasColMajor, cblas(sizes.transa), cblas(sizes.transb), as_int(sizes.m),
                as_int(sizes.n), used ? as_int(sizes.k) : 0, alpha, left.data(),
                least_one(sizes.a().rows), right.data(), least_one(sizes.b().rows), beta,
                sums.data(), least_one(sizes.m));
  for (std::int64_t column = 0; column < sizes.n; ++column) {
    for (std::int64_t row = 0; row < sizes.m; ++row) {
      store(types.c, c, static_cast<std::size_t>(column * sizes.ldc + row),
            sums[static_cast<std::size_t>(column * sizes.m + row)]);
    }
  }
}

/// @tparam S  of the scalars
template <class S, class Multiply>
GemmWork work_with(Request& request, const void* alpha, const void* beta, Multiply multiply) {
  const Scalar<S> a = request.scalar("alpha", static_cast<const S*>(alpha));
  const Scalar<S> b = request.scalar("beta", static_cast<const S*>(beta));
  const auto is_zero = [](S value) {
    if constexpr (std::is_same_v<S, Half>) {
      return from_half(value.bits) == 0;
    } else {
      return value == S{};
    }
  };
  return {.alpha_is_zero = [=](const Arguments& p) { return is_zero(a.get(p)); },
          .beta_is_zero = [=](const Arguments& p) { return is_zero(b.get(p)); },
          .multiply =
              [=](const Arguments& p, const GemmSizes& sizes, const std::byte* left,
                  const std::byte* right,
                  std::byte* result) { multiply(sizes, a.get(p), b.get(p), left, right, result); }};
}

template <class T>
GemmWork work_of_one_type(Request& request, const void* alpha, const void* beta) {
  return work_with<T>(request, alpha, beta, multiply<T>);
}

GemmWork work_of_types(Request& request, const Types& types, const void* alpha, const void* beta) {
  switch (types.scalar) {
    case DataType::f64:
      return work_of_one_type<double>(request, alpha, beta);
    case DataType::c32:
      return work_of_one_type<std::complex<float>>(request, alpha, beta);
    case DataType::c64:
      return work_of_one_type<std::complex<double>>(request, alpha, beta);
    case DataType::f16:
      return work_with<Half>(request, alpha, beta,
                             [types](const GemmSizes& sizes, Half factor, Half kept,
                                     const std::byte* a, const std::byte* b, std::byte* c) {
                               multiply_converted(types, sizes, from_half(factor.bits),
                                                  from_half(kept.bits), a, b, c);
                             });
    default:
      if (types.a == DataType::f32 && types.c == DataType::f32) {
        return work_of_one_type<float>(request, alpha, beta);
      }
      return work_with<float>(request, alpha, beta,
                              [types](const GemmSizes& sizes, float factor, float kept,
                                      const std::byte* a, const std::byte* b, std::byte* c) {
                                multiply_converted(types, sizes, factor, kept, a, b, c);
                              });
  }
}

/// @param arrays  the operands are arrays of pointers
Status gemm_ex(const Caller& caller, Handle* handle, const GemmSizes& sizes, const void* alpha,
               const void* beta, const Types& asked, Compute compute, GemmOperands operands,
               bool arrays) {
  Request request(caller, handle);
  const auto scalar = scalar_of(asked.a, asked.b, asked.c, compute);
  if (!scalar) {
    request.refuse(fmt::format("A is {}, B is {}, C is {}, with compute type {}", in_words(asked.a),
                               in_words(asked.b), in_words(asked.c), static_cast<int>(compute)),
                   "types that docs/libraries.md lists", Status::not_supported);
    return request.status();
  }
  Types types = asked;
  types.scalar = *scalar;
  operands.a_bytes = bytes_of(types.a);
  operands.b_bytes = bytes_of(types.b);
  operands.c_bytes = bytes_of(types.c);
  request.costs(cost_of(types, sizes.operations() * as_double(operands.batch)));
  const GemmWork work = work_of_types(request, types, alpha, beta);
  return arrays ? gemm_of_pointers(request, sizes, operands, work)
                : gemm(request, sizes, operands, work);
}

template <class Int>
Status ex(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m, Int n,
          Int k, const void* alpha, const void* a, DataType a_type, Int lda, const void* b,
          DataType b_type, Int ldb, const void* beta, void* c, DataType c_type, Int ldc,
          Compute compute, int /*algorithm*/) {
  return gemm_ex(caller, handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,
                 {a_type, b_type, c_type}, compute, {.a = a, .b = b, .c = c}, false);
}

template <class Int>
Status strided_ex(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
                  Int n, Int k, const void* alpha, const void* a, DataType a_type, Int lda,
                  long long stride_a, const void* b, DataType b_type, Int ldb, long long stride_b,
                  const void* beta, void* c, DataType c_type, Int ldc, long long stride_c,
                  Int batch, Compute compute, int /*algorithm*/) {
  return gemm_ex(caller, handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,
                 {a_type, b_type, c_type}, compute,
                 {a, b, c, 0, 0, 0, stride_a, stride_b, stride_c, batch}, false);
}

template <class Int>
Status batched_ex(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
                  Int n, Int k, const void* alpha, const void* const* a, DataType a_type, Int lda,
                  const void* const* b, DataType b_type, Int ldb, const void* beta, void* const* c,
                  DataType c_type, Int ldc, Int batch, Compute compute, int /*algorithm*/) {
  return gemm_ex(caller, handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,
                 {a_type, b_type, c_type}, compute,
                 {.a = a, .b = b, .c = const_cast<void**>(c), .batch = batch}, true);
}

template <class T, class Int>
Status half_gemm(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
                 Int n, Int k, const T* alpha, const T* a, Int lda, const T* b, Int ldb,
                 const T* beta, T* c, Int ldc) {
  return gemm_ex(caller, handle, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, beta,
                 {DataType::f16, DataType::f16, DataType::f16}, Compute::f16,
                 {.a = a, .b = b, .c = c}, false);
}

}  // namespace
}  // namespace warpsim::cublas

#define WARPSIM_EXPORT_TYPED(name, function)                 \
  WARPSIM_EXPORT(name, name, warpsim::cublas::function<int>) \
  WARPSIM_EXPORT(name##_64, name##_64, warpsim::cublas::function<std::int64_t>)
WARPSIM_EXPORT_TYPED(cublasGemmEx, ex)
WARPSIM_EXPORT_TYPED(cublasGemmStridedBatchedEx, strided_ex)
WARPSIM_EXPORT_TYPED(cublasGemmBatchedEx, batched_ex)
WARPSIM_EXPORT_SIZES(cublasHgemm, , half_gemm, warpsim::cublas::Half)
