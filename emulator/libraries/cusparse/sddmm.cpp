#include "emulator/libraries/cusparse/matrix.h"

// A product of dense matrices at the places of a sparse one: SDDMM.

namespace warpsim::cusparse {
namespace {

struct Sampled {
  Operation op_a = Operation::none, op_b = Operation::none;
  DenseMatrix a, b;
  SparseMatrix c;
};

Sampled check_sampled(Request& request, Operation op_a, Operation op_b, const DenseMatrix* a,
                      const DenseMatrix* b, const SparseMatrix* c, DataType compute) {
  const Sampled s = {.op_a = op_a,
                     .op_b = op_b,
                     .a = request.descriptor("matA", a),
                     .b = request.descriptor("matB", b),
                     .c = request.descriptor("matC", c)};
  request.operation("opA", op_a, s.a.type).operation("opB", op_b, s.b.type);
  for (const Operation operation : {op_a, op_b}) {
    if (operation == Operation::conjugate_transpose) {
      request.refuse("opA or opB is CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE",
                     "another operation, as cuSPARSE's documentation says", Status::not_supported);
    }
  }
  request.equal("the rows of op(A)", rows_of(s.a.rows, s.a.columns, op_a), "matC.rows", s.c.rows);
  request.equal("the columns of op(B)", rows_of(s.b.columns, s.b.rows, op_b), "matC.cols",
                s.c.columns);
  request.equal("the columns of op(A)", rows_of(s.a.columns, s.a.rows, op_a), "the rows of op(B)",
                rows_of(s.b.rows, s.b.columns, op_b));
  if (s.c.format != Format::csr && s.c.format != Format::bsr) {
    request.refuse("matC is in another format than CSR and BSR", "CSR or BSR",
                   Status::not_supported);
  }
  if (s.a.batch > 1 || s.b.batch > 1 || s.c.batch > 1) {
    request.refuse("the matrices are batches", "one matrix each", Status::not_supported);
  }
  const bool half = libraries::is_half(s.a.type) && compute == DataType::f32 &&
                    (s.c.type == s.a.type || s.c.type == DataType::f32);
  if (s.a.type != s.b.type || (!half && (s.c.type != s.a.type || compute != s.a.type))) {
    request.refuse_types(fmt::format("matA is {}, matB is {}, matC is {}, with compute type {}",
                                     libraries::in_words(s.a.type), libraries::in_words(s.b.type),
                                     libraries::in_words(s.c.type), libraries::in_words(compute)));
  }
  return s;
}

Status sampled_buffer_size(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                           const void* alpha, const DenseMatrix* a, const DenseMatrix* b,
                           const void* beta, const SparseMatrix* c, DataType compute,
                           int /*algorithm*/, std::size_t* bytes) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  (void)check_sampled(request, op_a, op_b, a, b, c, compute);
  return request.gives_size(bytes, 1);
}

/// Does nothing but check, since no analysis is kept.
Status sampled_preprocess(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                          const void* alpha, const DenseMatrix* a, const DenseMatrix* b,
                          const void* beta, const SparseMatrix* c, DataType compute, int algorithm,
                          void* /*buffer*/) {
  std::size_t bytes = 0;
  return sampled_buffer_size(caller, handle, op_a, op_b, alpha, a, b, beta, c, compute, algorithm,
                             &bytes);
}

/// The element of op(M).
template <class T>
T element(const DenseMatrix& m, Operation operation, const std::byte* values, std::int64_t row,
          std::int64_t column) {
  if (operation == Operation::none) return load<T>(m.type, values, m.at(row, column));
  return load<T>(m.type, values, m.at(column, row));
}

template <class T>
Status submit_sampled(Request& request, const Sampled& s, const void* alpha, const void* beta,
                      const void* buffer) {
  request.buffer(buffer, 1);
  const Scalar<T> factor = request.scalar("alpha", static_cast<const T*>(alpha));
  const Scalar<T> kept = request.scalar("beta", static_cast<const T*>(beta));
  const std::int64_t inner = rows_of(s.a.columns, s.a.rows, s.op_a);
  request.costs<T>(2.0 * static_cast<double>(s.c.value_count()) * static_cast<double>(inner));
  request.checks([c = s.c](const Arguments&, const Arguments& arguments) {
    return wrong_structure("matC", c, arguments.data());
  });
  return request.submit(
      [=](const Arguments& parameters) {
        Arguments arguments;
        append(arguments, "matC", s.c, Use::read, libraries::output(kept.get(parameters)));
        const Use inputs = libraries::read_if(factor.get(parameters) != T{});
        append(arguments, "matA", s.a, inputs);
        append(arguments, "matB", s.b, inputs);
        arguments.push_back(buffer_of(buffer, 1, Use::write));
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T x = factor.get(parameters);
        const T y = kept.get(parameters);
        const MatrixArrays arrays = arrays_of(s.c, arguments.data());
        for_each_entry(s.c, arrays, [&](std::int64_t row, std::int64_t column, std::int64_t at) {
          T sum = {};
          for (std::int64_t k = 0; k < inner && x != T{}; ++k) {
            sum += element<T>(s.a, s.op_a, arguments[3].host, row, k) *
                   element<T>(s.b, s.op_b, arguments[4].host, k, column);
          }
          T result = x * sum;
          const auto place = static_cast<std::size_t>(at);
          if (y != T{}) result += y * load<T>(s.c.type, arrays.values, place);
          store(s.c.type, arrays.values, place, result);
        });
      });
}

Status sampled(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
               const void* alpha, const DenseMatrix* a, const DenseMatrix* b, const void* beta,
               const SparseMatrix* c, DataType compute, int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  const Sampled call = check_sampled(request, op_a, op_b, a, b, c, compute);
  if (!request.valid()) return request.status();
  return by_type(request, compute, "", [&](auto number) {
    return submit_sampled<decltype(number)>(request, call, alpha, beta, buffer);
  });
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseSDDMM_bufferSize, sampled_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSDDMM_preprocess, sampled_preprocess)
WARPSIM_EXPORT_OWN(cusparseSDDMM, sampled)
