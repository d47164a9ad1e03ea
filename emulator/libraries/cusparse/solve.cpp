#include "emulator/libraries/cusparse/solve.h"

#include "emulator/libraries/cusparse/creation.h"

// SpSV and SpSM: an analysis, which keeps the matrix, and solves.

namespace warpsim::cusparse {
namespace {

/// A call of one of the steps.
struct System {
  Operation op_a = Operation::none;
  SparseMatrix a;
  Sides sides;
  const char* b_name = "matB";
  const char* c_name = "matC";
  bool of_vectors = false;
};

std::size_t bytes_to_solve(const System& s) {
  return 1024 + 64 * static_cast<std::size_t>(s.a.rows) +
         16 * static_cast<std::size_t>(s.a.entries);
}

void check_system(Request& request, const System& s, DataType compute) {
  request.operation("opA", s.op_a, s.a.type).operation("opB", s.sides.op_b, s.sides.b.type);
  request.equal("matA.rows", s.a.rows, "matA.cols", s.a.columns);
  const Operation op_b = s.sides.op_b;
  const std::string b_rows = s.of_vectors ? fmt::format("{}.size", s.b_name) : "the rows of op(B)";
  request.equal("matA.rows", s.a.rows, b_rows, rows_of(s.sides.b.rows, s.sides.b.columns, op_b));
  request.equal("matA.rows", s.a.rows,
                fmt::format("{}.{}", s.c_name, s.of_vectors ? "size" : "rows"), s.sides.c.rows);
  request.equal("the columns of op(B)", rows_of(s.sides.b.columns, s.sides.b.rows, op_b),
                "matC.cols", s.sides.c.columns);
  if (s.a.format != Format::csr && s.a.format != Format::coo) {
    request.refuse("matA is in another format than CSR and COO", "CSR or COO",
                   Status::not_supported);
  }
  if (s.a.batch > 1 || s.sides.b.batch > 1 || s.sides.c.batch > 1) {
    request.refuse("the matrices are batches", "one matrix each", Status::not_supported);
  }
  if (s.a.type != compute || s.sides.b.type != compute || s.sides.c.type != compute) {
    request.refuse_types(
        fmt::format("matA is {}, {} is {}, {} is {}, with compute type {}",
                    libraries::in_words(s.a.type), s.b_name, libraries::in_words(s.sides.b.type),
                    s.c_name, libraries::in_words(s.sides.c.type), libraries::in_words(compute)));
  }
}

Status analyse(Request& request, const System& s, Solve* solve, void* buffer) {
  if (!request.valid()) return request.status();
  const std::size_t bytes = bytes_to_solve(s);
  const auto triangle = std::make_shared<Triangle>();
  *solve = {.triangle = triangle, .buffer = buffer, .buffer_bytes = bytes};
  request.checks([a = s.a](const Arguments&, const Arguments& arguments) {
    return wrong_triangle(a, arguments.data());
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matA", s.a, Use::read, Use::read);
        arguments.push_back(buffer_of(buffer, bytes, Use::write));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        read_triangle(s.a, s.op_a, arguments.data(), *triangle);
      });
}

template <class T>
Status submit_solve(Request& request, const System& s, const Solve& solve, const void* alpha) {
  const Scalar<T> factor = request.scalar("alpha", static_cast<const T*>(alpha));
  request.costs<T>(2.0 * static_cast<double>(s.a.entries) * static_cast<double>(s.sides.c.columns));
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matA", s.a, Use::read, Use::none);
        const auto append_side = [&](const char* name, const DenseMatrix& matrix, Use use) {
          if (s.of_vectors) {
            append(arguments, name,
                   DenseVector{.size = matrix.rows, .values = matrix.values, .type = matrix.type},
                   use);
          } else {
            append(arguments, name, matrix, use);
          }
        };
        append_side(s.b_name, s.sides.b, Use::read);
        append_side(s.c_name, s.sides.c, Use::write);
        arguments.push_back(buffer_of(solve.buffer, solve.buffer_bytes, Use::update));
        return arguments;
      },
      [=, triangle = solve.triangle](const Arguments& parameters, const Arguments& arguments) {
        solve_triangle<T>(*triangle, s.sides, factor.get(parameters), arguments[3].host,
                          arguments[4].host);
      });
}

void check_analysed(Request& request, const char* analysis, const Solve& solve) {
  if (request.valid() && solve.triangle == nullptr) {
    request.refuse(fmt::format("{} was not called with this descriptor", analysis),
                   fmt::format("{} before", analysis), Status::not_initialized);
  }
}

Status solve_system(Request& request, const System& s, const Solve& solve, const void* alpha,
                    DataType compute) {
  if (!request.valid()) return request.status();
  return by_type(request, compute, "", [&](auto number) {
    return submit_solve<decltype(number)>(request, s, solve, alpha);
  });
}

template <class Kind>
Status update_values(const Caller& caller, Handle* handle, Kind* descriptor, void* values,
                     Update part) {
  Request request(caller, handle);
  const Solve solve = request.descriptor("the descriptor", descriptor);
  request.pointer("newValues", values);
  if (part != Update::general && part != Update::diagonal) {
    request.refuse(fmt::format("updatePart is {}", static_cast<int>(part)), "0 or 1");
  }
  check_analysed(request, "the analysis", solve);
  if (!request.valid()) return request.status();
  const auto triangle = solve.triangle;
  return request.submit(
      [=](const Arguments&) {
        const std::size_t count = part == Update::general
                                      ? triangle->entries.size()
                                      : static_cast<std::size_t>(triangle->order);
        return Arguments{vector_of("newValues", values, libraries::bytes_of(triangle->type),
                                   static_cast<std::int64_t>(count), 1, Use::read),
                         buffer_of(solve.buffer, solve.buffer_bytes, Use::update)};
      },
      [=](const Arguments&, const Arguments& arguments) {
        update_triangle(*triangle, part, arguments[0].host);
      });
}

template <class Kind>
Status create_solve(const Caller& caller, Kind** descriptor) {
  return Creation(caller).make("descr", descriptor, Kind{});
}

// SpSV

System vector_system(Request& request, Operation op_a, const SparseMatrix* a, const DenseVector* x,
                     const DenseVector* y, DataType compute, const VectorSolve* descriptor) {
  const auto column = [](const DenseVector& vector) {
    return DenseMatrix{.rows = vector.size,
                       .columns = 1,
                       .leading = vector.size,
                       .values = vector.values,
                       .type = vector.type};
  };
  const System s = {.op_a = op_a,
                    .a = request.descriptor("matA", a),
                    .sides = {.b = column(request.descriptor("vecX", x)),
                              .c = column(request.descriptor("vecY", y))},
                    .b_name = "vecX",
                    .c_name = "vecY",
                    .of_vectors = true};
  (void)request.descriptor("spsvDescr", descriptor);
  check_system(request, s, compute);
  return s;
}

Status sv_buffer_size(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
                      const SparseMatrix* a, const DenseVector* x, const DenseVector* y,
                      DataType compute, int /*algorithm*/, VectorSolve* descriptor,
                      std::size_t* bytes) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  return request.gives_size(
      bytes, bytes_to_solve(vector_system(request, op_a, a, x, y, compute, descriptor)));
}

Status sv_analysis(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
                   const SparseMatrix* a, const DenseVector* x, const DenseVector* y,
                   DataType compute, int /*algorithm*/, VectorSolve* descriptor, void* buffer) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  const System s = vector_system(request, op_a, a, x, y, compute, descriptor);
  return analyse(request, s, descriptor, buffer);
}

Status sv(const Caller& caller, Handle* handle, Operation op_a, const void* alpha,
          const SparseMatrix* a, const DenseVector* x, const DenseVector* y, DataType compute,
          int /*algorithm*/, VectorSolve* descriptor) {
  Request request(caller, handle);
  const System s = vector_system(request, op_a, a, x, y, compute, descriptor);
  const Solve solve = request.descriptor("spsvDescr", descriptor);
  check_analysed(request, "cusparseSpSV_analysis", solve);
  return solve_system(request, s, solve, alpha, compute);
}

// SpSM

System matrix_system(Request& request, Operation op_a, Operation op_b, const SparseMatrix* a,
                     const DenseMatrix* b, const DenseMatrix* c, DataType compute,
                     const MatrixSolve* descriptor) {
  const System s = {
      .op_a = op_a,
      .a = request.descriptor("matA", a),
      .sides = {
          .b = request.descriptor("matB", b), .c = request.descriptor("matC", c), .op_b = op_b}};
  (void)request.descriptor("spsmDescr", descriptor);
  check_system(request, s, compute);
  return s;
}

Status sm_buffer_size(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                      const void* alpha, const SparseMatrix* a, const DenseMatrix* b,
                      const DenseMatrix* c, DataType compute, int /*algorithm*/,
                      MatrixSolve* descriptor, std::size_t* bytes) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  return request.gives_size(
      bytes, bytes_to_solve(matrix_system(request, op_a, op_b, a, b, c, compute, descriptor)));
}

Status sm_analysis(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                   const void* alpha, const SparseMatrix* a, const DenseMatrix* b,
                   const DenseMatrix* c, DataType compute, int /*algorithm*/,
                   MatrixSolve* descriptor, void* buffer) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  const System s = matrix_system(request, op_a, op_b, a, b, c, compute, descriptor);
  return analyse(request, s, descriptor, buffer);
}

Status sm(const Caller& caller, Handle* handle, Operation op_a, Operation op_b, const void* alpha,
          const SparseMatrix* a, const DenseMatrix* b, const DenseMatrix* c, DataType compute,
          int /*algorithm*/, MatrixSolve* descriptor) {
  Request request(caller, handle);
  const System s = matrix_system(request, op_a, op_b, a, b, c, compute, descriptor);
  const Solve solve = request.descriptor("spsmDescr", descriptor);
  check_analysed(request, "cusparseSpSM_analysis", solve);
  return solve_system(request, s, solve, alpha, compute);
}

}  // namespace
}  // namespace warpsim::cusparse

using warpsim::cusparse::MatrixSolve;
using warpsim::cusparse::VectorSolve;

WARPSIM_EXPORT_OWN(cusparseSpSV_createDescr, create_solve<VectorSolve>)
WARPSIM_EXPORT_OWN(cusparseSpSV_destroyDescr, destroy<VectorSolve>)
WARPSIM_EXPORT_OWN(cusparseSpSV_bufferSize, sv_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSpSV_analysis, sv_analysis)
WARPSIM_EXPORT_OWN(cusparseSpSV_solve, sv)
WARPSIM_EXPORT_OWN(cusparseSpSV_updateMatrix, update_values<VectorSolve>)
WARPSIM_EXPORT_OWN(cusparseSpSM_createDescr, create_solve<MatrixSolve>)
WARPSIM_EXPORT_OWN(cusparseSpSM_destroyDescr, destroy<MatrixSolve>)
WARPSIM_EXPORT_OWN(cusparseSpSM_bufferSize, sm_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSpSM_analysis, sm_analysis)
WARPSIM_EXPORT_OWN(cusparseSpSM_solve, sm)
WARPSIM_EXPORT_OWN(cusparseSpSM_updateMatrix, update_values<MatrixSolve>)
