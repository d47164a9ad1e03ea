#include <vector>

#include "emulator/libraries/cusparse/matrix.h"

// Products of a sparse matrix with a dense vector or matrix: SpMV and SpMM. Sums are in the compute
// type, in the order of the matrix's arrays.

namespace warpsim::cusparse {
namespace {

/// "matA is CUDA_R_32F, ..., with compute type CUDA_R_64F"
std::string in_words(const char* second, const char* third, DataType a, DataType b, DataType c,
                     DataType compute) {
  return fmt::format("matA is {}, {} is {}, {} is {}, with compute type {}", libraries::in_words(a),
                     second, libraries::in_words(b), third, libraries::in_words(c),
                     libraries::in_words(compute));
}

/// Whether cuSPARSE multiplies these types. @param mixed  A may be of half the precision, or real
/// where the others are complex
bool are_multiplied(DataType a, DataType b, DataType c, DataType compute, bool mixed) {
  if (a != b) {
    const bool narrow = (a == DataType::f32 && (b == DataType::f64 || b == DataType::c32)) ||
                        (a == DataType::f64 && b == DataType::c64);
    return mixed && narrow && b == c && c == compute;
  }
  if (libraries::is_half(a)) return compute == DataType::f32 && (c == a || c == DataType::f32);
  return c == a && compute == a;
}

/// alpha A B + beta C for one matrix C, or a vector, which is a matrix of one column.
template <class T>
void multiply(const std::vector<Entry<T>>& a, T alpha, T beta, const DenseMatrix& b, Operation op_b,
              const std::byte* b_values, const DenseMatrix& c, std::byte* c_values) {
  const auto columns = static_cast<std::size_t>(c.columns);
  std::vector<T> sums(static_cast<std::size_t>(c.rows) * columns);
  if (alpha != T{}) {
    for (const Entry<T>& entry : a) {
      T* const row = sums.data() + static_cast<std::size_t>(entry.row) * columns;
      for (std::int64_t j = 0; j < c.columns; ++j) {
        const std::size_t at =
            op_b == Operation::none ? b.at(entry.column, j) : b.at(j, entry.column);
        T factor = load<T>(b.type, b_values, at);
        if (op_b == Operation::conjugate_transpose) factor = libraries::conjugate(factor);
        row[j] += entry.value * factor;
      }
    }
  }
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.columns; ++j) {
      const std::size_t at = c.at(i, j);
      T result = alpha * sums[static_cast<std::size_t>(i) * columns + static_cast<std::size_t>(j)];
      if (beta != T{}) result += beta * load<T>(c.type, c_values, at);
      store(c.type, c_values, at, result);
    }
  }
}

/// A product that has been checked.
struct Product {
  Operation op_a = Operation::none, op_b = Operation::none;
  SparseMatrix a;
  DenseMatrix b, c;
  const char* b_name = "matB";
  const char* c_name = "matC";
  bool of_vectors = false;
};

template <class T>
Status submit(Request& request, const Product& p, const void* alpha, const void* beta,
              const void* buffer, std::size_t buffer_bytes) {
  const Scalar<T> factor = request.scalar("alpha", static_cast<const T*>(alpha));
  const Scalar<T> kept = request.scalar("beta", static_cast<const T*>(beta));
  const auto batch = static_cast<double>(p.c.batch);
  request.costs<T>(2.0 * static_cast<double>(p.a.value_count()) * static_cast<double>(p.c.columns) *
                   batch);
  request.checks([p, factor](const Arguments& parameters, const Arguments& arguments) {
    return factor.get(parameters) == T{} ? std::nullopt
                                         : wrong_structure("matA", p.a, arguments.data());
  });
  return request.submit(
      [=](const Arguments& parameters) {
        const Use inputs = libraries::read_if(factor.get(parameters) != T{});
        Arguments arguments;
        append(arguments, "matA", p.a, inputs, inputs);
        const auto append_dense = [&](const char* name, const DenseMatrix& matrix, Use use) {
          if (p.of_vectors) {
            append(arguments, name,
                   DenseVector{.size = matrix.rows, .values = matrix.values, .type = matrix.type},
                   use);
          } else {
            append(arguments, name, matrix, use);
          }
        };
        append_dense(p.b_name, p.b, inputs);
        append_dense(p.c_name, p.c, libraries::output(kept.get(parameters)));
        arguments.push_back(buffer_of(buffer, buffer_bytes, Use::write));
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        const T x = factor.get(parameters);
        std::vector<Entry<T>> entries;
        for (int i = 0; i < p.c.batch; ++i) {
          if (x != T{} && (i == 0 || p.a.batch > 1)) {
            entries =
                entries_of<T>(p.a, arrays_of(p.a, arguments.data(), p.a.batch > 1 ? i : 0), p.op_a);
          }
          const auto matrix = [&](const LibraryArgument& argument, const DenseMatrix& m) {
            return argument.host + static_cast<std::size_t>((m.batch > 1 ? i : 0) * m.stride) *
                                       libraries::bytes_of(m.type);
          };
          multiply<T>(entries, x, kept.get(parameters), p.b, p.op_b, matrix(arguments[3], p.b), p.c,
                      matrix(arguments[4], p.c));
        }
      });
}

/// What cuSPARSE asks for: a few bytes for CSR, more for COO and its other algorithm.
std::size_t bytes_for_vector(const SparseMatrix& a, Operation op_a, MvAlgorithm algorithm) {
  const bool transposed = op_a != Operation::none;
  const auto entries = static_cast<std::size_t>(a.entries);
  if (a.format == Format::coo) return transposed ? 0 : 540 + entries / 1024 * 12;
  if (a.format == Format::bsr) return 0;
  const bool balanced = algorithm == MvAlgorithm::csr2 && transposed == (a.format == Format::csc);
  return balanced ? 551 + entries / 512 * 14 : 11 + entries / 1000;
}

DenseMatrix column_of(const DenseVector& vector) {
  return {.rows = vector.size,
          .columns = 1,
          .leading = vector.size,
          .values = vector.values,
          .type = vector.type};
}

/// The arguments of SpMV and the functions before it.
struct MvCall {
  Product product;
  DataType compute;
  MvAlgorithm algorithm;
};

MvCall check_vector(Request& request, Operation op_a, const SparseMatrix* a, const DenseVector* x,
                    const DenseVector* y, DataType compute, MvAlgorithm algorithm) {
  const SparseMatrix matrix = request.descriptor("matA", a);
  const DenseVector input = request.descriptor("vecX", x);
  const DenseVector output = request.descriptor("vecY", y);
  request.operation("opA", op_a, matrix.type);
  const std::int64_t rows = rows_of(matrix.rows, matrix.columns, op_a);
  const std::int64_t columns = rows_of(matrix.columns, matrix.rows, op_a);
  const bool plain = op_a == Operation::none;
  request.equal(plain ? "matA.cols" : "matA.rows", columns, "vecX.size", input.size);
  request.equal(plain ? "matA.rows" : "matA.cols", rows, "vecY.size", output.size);
  if (matrix.batch > 1) {
    request.refuse("matA is a batch of matrices", "one matrix", Status::not_supported);
  }
  const bool is_coo = matrix.format == Format::coo;
  const bool of_coo = algorithm == MvAlgorithm::coo1 || algorithm == MvAlgorithm::coo2;
  const bool of_csr = algorithm == MvAlgorithm::csr1 || algorithm == MvAlgorithm::csr2;
  if ((is_coo && of_csr) || (!is_coo && of_coo)) {
    request.refuse(fmt::format("alg is {}", static_cast<int>(algorithm)),
                   "an algorithm for the format of matA, or CUSPARSE_SPMV_ALG_DEFAULT");
  }
  if (matrix.format == Format::blocked_ell) {
    request.refuse("matA is in Blocked-ELL format", "CSR, CSC, COO or BSR", Status::not_supported);
  }
  if (!are_multiplied(matrix.type, input.type, output.type, compute, true)) {
    request.refuse_types(in_words("vecX", "vecY", matrix.type, input.type, output.type, compute));
  }
  return {.product = {.op_a = op_a,
                      .a = matrix,
                      .b = column_of(input),
                      .c = column_of(output),
                      .b_name = "vecX",
                      .c_name = "vecY",
                      .of_vectors = true},
          .compute = compute,
          .algorithm = algorithm};
}

Status mv_buffer_size(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
                      const SparseMatrix* a, const DenseVector* x, const void* beta,
                      const DenseVector* y, DataType compute, MvAlgorithm algorithm,
                      std::size_t* bytes) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  const MvCall call = check_vector(request, op_a, a, x, y, compute, algorithm);
  return request.gives_size(bytes, bytes_for_vector(call.product.a, op_a, algorithm));
}

/// Does nothing but check, since no analysis is kept.
Status mv_preprocess(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
                     const SparseMatrix* a, const DenseVector* x, const void* beta,
                     const DenseVector* y, DataType compute, MvAlgorithm algorithm, void* buffer) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  const MvCall call = check_vector(request, op_a, a, x, y, compute, algorithm);
  request.buffer(buffer, bytes_for_vector(call.product.a, op_a, algorithm));
  return request.status();
}

Status mv(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
          const SparseMatrix* a, const DenseVector* x, const void* beta, const DenseVector* y,
          DataType compute, MvAlgorithm algorithm, void* buffer) {
  Request request(caller, handle);
  const MvCall call = check_vector(request, op_a, a, x, y, compute, algorithm);
  const std::size_t bytes = bytes_for_vector(call.product.a, op_a, algorithm);
  request.buffer(buffer, bytes);
  if (!request.valid()) return request.status();
  return by_type(request, compute, "", [&](auto number) {
    return submit<decltype(number)>(request, call.product, alpha, beta, buffer, bytes);
  });
}

Product check_matrices(Request& request, Operation op_a, Operation op_b, const SparseMatrix* a,
                       const DenseMatrix* b, const DenseMatrix* c, DataType compute) {
  const Product p = {.op_a = op_a,
                     .op_b = op_b,
                     .a = request.descriptor("matA", a),
                     .b = request.descriptor("matB", b),
                     .c = request.descriptor("matC", c)};
  request.operation("opA", op_a, p.a.type).operation("opB", op_b, p.b.type);
  const bool plain_a = op_a == Operation::none;
  const bool plain_b = op_b == Operation::none;
  request.equal(plain_a ? "matA.rows" : "matA.cols", rows_of(p.a.rows, p.a.columns, op_a),
                "matC.rows", p.c.rows);
  request.equal(plain_b ? "matB.cols" : "matB.rows", rows_of(p.b.columns, p.b.rows, op_b),
                "matC.cols", p.c.columns);
  request.equal(plain_a ? "matA.cols" : "matA.rows", rows_of(p.a.columns, p.a.rows, op_a),
                plain_b ? "matB.rows" : "matB.cols", rows_of(p.b.rows, p.b.columns, op_b));
  if (p.a.batch > 1) request.equal("the batch of matA", p.a.batch, "that of matC", p.c.batch);
  if (p.b.batch > 1) request.equal("the batch of matB", p.b.batch, "that of matC", p.c.batch);
  if (p.a.format == Format::blocked_ell && op_a != Operation::none) {
    request.refuse("opA is not CUSPARSE_OPERATION_NON_TRANSPOSE, and matA is in Blocked-ELL format",
                   "CUSPARSE_OPERATION_NON_TRANSPOSE", Status::not_supported);
  }
  if (p.a.format == Format::bsr) {
    request.equal("the rows of a block", p.a.block_rows, "its columns", p.a.block_columns);
    if (p.a.block_order != Order::row) {
      request.refuse("the order of blocks in matA is CUSPARSE_ORDER_COL", "CUSPARSE_ORDER_ROW",
                     Status::not_supported);
    }
  }
  if (!are_multiplied(p.a.type, p.b.type, p.c.type, compute, false)) {
    request.refuse_types(in_words("matB", "matC", p.a.type, p.b.type, p.c.type, compute));
  }
  return p;
}

Status mm_buffer_size(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                      const void* alpha, const SparseMatrix* a, const DenseMatrix* b,
                      const void* beta, const DenseMatrix* c, DataType compute, int /*algorithm*/,
                      std::size_t* bytes) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  (void)check_matrices(request, op_a, op_b, a, b, c, compute);
  return request.gives_size(bytes, 0);
}

/// Does nothing but check, since no analysis is kept.
Status mm_preprocess(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                     const void* alpha, const SparseMatrix* a, const DenseMatrix* b,
                     const void* beta, const DenseMatrix* c, DataType compute, int algorithm,
                     void* /*buffer*/) {
  std::size_t bytes = 0;
  return mm_buffer_size(caller, handle, op_a, op_b, alpha, a, b, beta, c, compute, algorithm,
                        &bytes);
}

Status mm(const Caller& caller, Handle* handle, Operation op_a, Operation op_b, const void* alpha,
          const SparseMatrix* a, const DenseMatrix* b, const void* beta, const DenseMatrix* c,
          DataType compute, int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  const Product product = check_matrices(request, op_a, op_b, a, b, c, compute);
  if (!request.valid()) return request.status();
  return by_type(request, compute, "", [&](auto number) {
    return submit<decltype(number)>(request, product, alpha, beta, buffer, 0);
  });
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseSpMV_bufferSize, mv_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSpMV_preprocess, mv_preprocess)
WARPSIM_EXPORT_OWN(cusparseSpMV, mv)
WARPSIM_EXPORT_OWN(cusparseSpMM_bufferSize, mm_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSpMM_preprocess, mm_preprocess)
WARPSIM_EXPORT_OWN(cusparseSpMM, mm)
