#include "emulator/libraries/cublas/gemm.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpsim::cublas {
namespace {

/// A stored matrix: rows x columns before it is transposed.
MatrixShape stored(Operation operation, std::int64_t rows, std::int64_t columns,
                   std::int64_t leading) {
  if (operation != Operation::none) std::swap(rows, columns);
  return {.rows = rows, .columns = columns, .leading = leading};
}

void check(Request& request, const GemmSizes& sizes, std::int64_t batch) {
  request.operation("transa", sizes.transa).operation("transb", sizes.transb);
  request.size("m", sizes.m).size("n", sizes.n).size("k", sizes.k);
  request.leading("lda", sizes.lda, sizes.a().rows).leading("ldb", sizes.ldb, sizes.b().rows);
  request.leading("ldc", sizes.ldc, sizes.m).size("batchCount", batch);
}

MatrixShape in_batch(MatrixShape shape, std::int64_t batch, std::int64_t stride) {
  shape.batch = batch;
  shape.stride = stride;
  return shape;
}

/// How the three matrices are used.
struct Uses {
  Use inputs = Use::read, output = Use::update;
};
Uses uses_of(const GemmSizes& sizes, const GemmWork& work, const Arguments& parameters) {
  return {.inputs = read_if(!work.alpha_is_zero(parameters) && sizes.k > 0),
          .output = work.beta_is_zero(parameters) ? Use::write : Use::update};
}

std::uint64_t offset(std::int64_t index, std::int64_t stride, std::size_t bytes) {
  return static_cast<std::uint64_t>(index * stride) * bytes;
}

/// The pointer at an index of an array of them.
const void* pointer_at(const LibraryArgument& array, std::int64_t index) {
  return array.as<const void* const>()[index];
}

/// What of an array of pointers is checked.
int pointers(Request& request, const char* name, const void* array, std::int64_t count) {
  return request.parameter(vector_of(name, array, sizeof(void*), count, 1, Use::read));
}

}  // namespace

MatrixShape GemmSizes::a() const {
  return stored(transa, m, k, lda);
}
MatrixShape GemmSizes::b() const {
  return stored(transb, k, n, ldb);
}
double GemmSizes::operations() const {
  return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

Status gemm(Request& request, const GemmSizes& sizes, const GemmOperands& operands,
            const GemmWork& work) {
  check(request, sizes, operands.batch);
  request.stride("strideA", operands.stride_a).stride("strideB", operands.stride_b);
  request.stride("strideC", operands.stride_c);
  if (request.valid() && (sizes.m == 0 || sizes.n == 0 || operands.batch == 0)) {
    return Status::success;
  }
  return request.submit(
      [=](const Arguments& parameters) {
        const auto [inputs, output] = uses_of(sizes, work, parameters);
        const GemmOperands& o = operands;
        return Arguments{
            matrix_of("A", o.a, o.a_bytes, in_batch(sizes.a(), o.batch, o.stride_a), inputs),
            matrix_of("B", o.b, o.b_bytes, in_batch(sizes.b(), o.batch, o.stride_b), inputs),
            matrix_of("C", o.c, o.c_bytes, in_batch(sizes.c(), o.batch, o.stride_c), output)};
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const GemmOperands& o = operands;
        for (std::int64_t i = 0; i < o.batch; ++i) {
          work.multiply(parameters, sizes, arguments[0].host + offset(i, o.stride_a, o.a_bytes),
                        arguments[1].host + offset(i, o.stride_b, o.b_bytes),
                        arguments[2].host + offset(i, o.stride_c, o.c_bytes));
        }
      });
}

Status gemm_of_pointers(Request& request, const GemmSizes& sizes, const GemmOperands& operands,
                        const GemmWork& work) {
  check(request, sizes, operands.batch);
  if (request.valid() && (sizes.m == 0 || sizes.n == 0 || operands.batch == 0)) {
    return Status::success;
  }
  const auto a = static_cast<std::size_t>(pointers(request, "Aarray", operands.a, operands.batch));
  const auto b = static_cast<std::size_t>(pointers(request, "Barray", operands.b, operands.batch));
  const auto c = static_cast<std::size_t>(pointers(request, "Carray", operands.c, operands.batch));
  return request.submit(
      [=](const Arguments& parameters) {
        const auto [inputs, output] = uses_of(sizes, work, parameters);
        Arguments arguments;
        for (std::int64_t i = 0; i < operands.batch; ++i) {
          const auto add = [&](std::size_t array, const char* name, std::size_t bytes,
                               const MatrixShape& shape, Use use) {
            arguments.push_back(matrix_of(fmt::format("{}array[{}]", name, i),
                                          pointer_at(parameters[array], i), bytes, shape, use));
          };
          add(a, "A", operands.a_bytes, sizes.a(), inputs);
          add(b, "B", operands.b_bytes, sizes.b(), inputs);
          add(c, "C", operands.c_bytes, sizes.c(), output);
        }
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        for (std::size_t i = 0; i < arguments.size(); i += 3) {
          work.multiply(parameters, sizes, arguments[i].host, arguments[i + 1].host,
                        arguments[i + 2].host);
        }
      });
}

namespace {

template <class T>
GemmWork work_of(Request& request, const T* alpha, const T* beta) {
  const Scalar<T> a = request.scalar("alpha", alpha);
  const Scalar<T> b = request.scalar("beta", beta);
  return {.alpha_is_zero = [a](const Arguments& parameters) { return a.get(parameters) == T{}; },
          .beta_is_zero = [b](const Arguments& parameters) { return b.get(parameters) == T{}; },
          .multiply =
              [a, b](const Arguments& parameters, const GemmSizes& sizes, const std::byte* left,
                     const std::byte* right, std::byte* result) {
                multiply(sizes, a.get(parameters), b.get(parameters), left, right, result);
              }};
}

template <class T, class Int>
Status gemm_of(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
               Int n, Int k, const T* alpha, const T* a, Int lda, const T* b, Int ldb,
               const T* beta, T* c, Int ldc) {
  Request request(caller, handle);
  const GemmSizes sizes = {transa, transb, m, n, k, lda, ldb, ldc};
  request.costs<T>(sizes.operations());
  const GemmWork work = work_of(request, alpha, beta);
  return gemm(
      request, sizes,
      {.a = a, .b = b, .c = c, .a_bytes = sizeof(T), .b_bytes = sizeof(T), .c_bytes = sizeof(T)},
      work);
}

template <class T, class Int>
Status strided(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
               Int n, Int k, const T* alpha, const T* a, Int lda, long long stride_a, const T* b,
               Int ldb, long long stride_b, const T* beta, T* c, Int ldc, long long stride_c,
               Int batch) {
  Request request(caller, handle);
  const GemmSizes sizes = {transa, transb, m, n, k, lda, ldb, ldc};
  request.costs<T>(sizes.operations() * as_double(batch));
  const GemmWork work = work_of(request, alpha, beta);
  return gemm(request, sizes,
              {a, b, c, sizeof(T), sizeof(T), sizeof(T), stride_a, stride_b, stride_c, batch},
              work);
}

template <class T, class Int>
Status batched(const Caller& caller, Handle* handle, Operation transa, Operation transb, Int m,
               Int n, Int k, const T* alpha, const T* const* a, Int lda, const T* const* b, Int ldb,
               const T* beta, T* const* c, Int ldc, Int batch) {
  Request request(caller, handle);
  const GemmSizes sizes = {transa, transb, m, n, k, lda, ldb, ldc};
  request.costs<T>(sizes.operations() * as_double(batch));
  const GemmWork work = work_of(request, alpha, beta);
  return gemm_of_pointers(request, sizes,
                          {.a = a,
                           .b = b,
                           .c = const_cast<T**>(c),
                           .a_bytes = sizeof(T),
                           .b_bytes = sizeof(T),
                           .c_bytes = sizeof(T),
                           .batch = batch},
                          work);
}

}  // namespace
}  // namespace warpsim::cublas

WARPSIM_EXPORT_ALL(gemm, _v2, gemm_of)
WARPSIM_EXPORT_ALL(gemmBatched, , batched)
WARPSIM_EXPORT_ALL(gemmStridedBatched, , strided)
