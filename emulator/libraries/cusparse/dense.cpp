#include <memory>
#include <vector>

#include "emulator/libraries/cusparse/matrix.h"

// From a sparse matrix to a dense one, and back.

namespace warpsim::cusparse {
namespace {

void check_sizes(Request& request, const SparseMatrix& sparse, const DenseMatrix& dense) {
  request.equal("the rows of matA", dense.rows, "those of matB", sparse.rows);
  request.equal("the columns of matA", dense.columns, "those of matB", sparse.columns);
  if (sparse.type != dense.type) {
    request.refuse_types(fmt::format("the sparse matrix is {}, and the dense one is {}",
                                     libraries::in_words(sparse.type),
                                     libraries::in_words(dense.type)));
  }
  if (sparse.batch > 1 || dense.batch > 1) {
    request.refuse("the matrices are batches", "one matrix each", Status::not_supported);
  }
}

std::size_t bytes_to_dense(const SparseMatrix& a) {
  return a.format == Format::coo ? 0 : 11 + static_cast<std::size_t>(a.lines()) / 26;
}

void check_to_dense(Request& request, const SparseMatrix& sparse, const DenseMatrix& dense) {
  check_sizes(request, sparse, dense);
  if (sparse.format == Format::blocked_ell || sparse.format == Format::bsr) {
    request.refuse("matA is in Blocked-ELL or BSR format", "CSR, CSC or COO",
                   Status::not_supported);
  }
}

Status to_dense_buffer_size(const Caller& caller, Handle* handle, const SparseMatrix* a,
                            const DenseMatrix* b, int /*algorithm*/, std::size_t* bytes) {
  Request request(caller, handle);
  const SparseMatrix sparse = request.descriptor("matA", a);
  check_to_dense(request, sparse, request.descriptor("matB", b));
  return request.gives_size(bytes, bytes_to_dense(sparse));
}

Status to_dense(const Caller& caller, Handle* handle, const SparseMatrix* a, const DenseMatrix* b,
                int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  const SparseMatrix sparse = request.descriptor("matA", a);
  const DenseMatrix dense = request.descriptor("matB", b);
  check_to_dense(request, sparse, dense);
  const std::size_t bytes = bytes_to_dense(sparse);
  request.buffer(buffer, bytes);
  request.checks([sparse](const Arguments&, const Arguments& arguments) {
    return wrong_structure("matA", sparse, arguments.data());
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matA", sparse, Use::read, Use::read);
        append(arguments, "matB", dense, Use::write);
        arguments.push_back(buffer_of(buffer, bytes, Use::write));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const std::size_t size = libraries::bytes_of(dense.type);
        std::byte* const to = arguments[3].host;
        for (std::int64_t row = 0; row < dense.rows; ++row) {
          for (std::int64_t column = 0; column < dense.columns; ++column) {
            std::fill_n(to + dense.at(row, column) * size, size, std::byte{});
          }
        }
        const MatrixArrays arrays = arrays_of(sparse, arguments.data());
        for_each_entry(sparse, arrays, [&](std::int64_t row, std::int64_t column, std::int64_t at) {
          std::copy_n(arrays.values + static_cast<std::size_t>(at) * size, size,
                      to + dense.at(row, column) * size);
        });
      });
}

/// Elements that are not 0, in the order of the sparse format: by columns in CSC, else by rows.
/// @param visit  (row, column, position in the dense matrix)
template <class Visit>
void for_each_non_zero(const DenseMatrix& dense, Format format, const std::byte* values,
                       Visit visit) {
  const bool by_columns = format == Format::csc;
  const std::int64_t lines = by_columns ? dense.columns : dense.rows;
  const std::int64_t across = by_columns ? dense.rows : dense.columns;
  for (std::int64_t line = 0; line < lines; ++line) {
    for (std::int64_t i = 0; i < across; ++i) {
      const std::int64_t row = by_columns ? i : line;
      const std::int64_t column = by_columns ? line : i;
      const std::size_t at = dense.at(row, column);
      if (load<std::complex<double>>(dense.type, values, at) != 0.0) visit(row, column, at);
    }
  }
}

std::int64_t count_non_zeros(const DenseMatrix& dense, Format format, const std::byte* values) {
  std::int64_t count = 0;
  for_each_non_zero(dense, format, values,
                    [&](std::int64_t, std::int64_t, std::size_t) { ++count; });
  return count;
}

/// The arguments of DenseToSparse's functions.
struct FromDense {
  DenseMatrix dense;
  SparseMatrix sparse;
  std::size_t bytes = 0;  // of the buffer
};

FromDense check_from_dense(Request& request, const DenseMatrix* a, const SparseMatrix* b) {
  const FromDense call = {.dense = request.descriptor("matA", a),
                          .sparse = request.descriptor("matB", b)};
  check_sizes(request, call.sparse, call.dense);
  if (call.sparse.format == Format::bsr) {
    request.refuse("matB is in BSR format", "CSR, CSC, COO or Blocked-ELL", Status::not_supported);
  }
  FromDense made = call;
  made.bytes = 1024 + 128 * static_cast<std::size_t>(call.dense.rows);
  return made;
}

Status from_dense_buffer_size(const Caller& caller, Handle* handle, const DenseMatrix* a,
                              const SparseMatrix* b, int /*algorithm*/, std::size_t* bytes) {
  Request request(caller, handle);
  return request.gives_size(bytes, check_from_dense(request, a, b).bytes);
}

/// Writes the offsets, and sets the descriptor's number of entries.
Status from_dense_analysis(const Caller& caller, Handle* handle, const DenseMatrix* a,
                           SparseMatrix* b, int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  const FromDense call = check_from_dense(request, a, b);
  const bool compressed = call.sparse.format == Format::csr || call.sparse.format == Format::csc;
  const auto count = std::make_shared<std::int64_t>(-1);
  request.waits();
  const Status status = request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matA", call.dense, Use::read);
        arguments.push_back(buffer_of(buffer, call.bytes, Use::write));
        if (compressed) {
          SparseMatrix empty = call.sparse;
          empty.entries = 0;
          append(arguments, "matB", empty, Use::write, Use::none);
        }
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const SparseMatrix& m = call.sparse;
        *count = 0;
        std::vector<std::int64_t> offsets(static_cast<std::size_t>(m.lines()) + 1);
        for_each_non_zero(call.dense, m.format, arguments[0].host,
                          [&](std::int64_t row, std::int64_t column, std::size_t) {
                            ++*count;
                            const std::int64_t line = m.format == Format::csc ? column : row;
                            ++offsets[static_cast<std::size_t>(line / m.block_rows) + 1];
                          });
        if (!compressed) return;
        std::int64_t sum = static_cast<std::int64_t>(m.base);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
          sum += offsets[i];
          set_index(m.offset_type, arguments[2].host, static_cast<std::int64_t>(i), sum);
        }
      });
  if (status == Status::success && *count >= 0 && call.sparse.format != Format::blocked_ell) {
    b->entries = *count;
  }
  return status;
}

/// Into the blocks that Blocked-ELL's indices name.
Status into_blocks(Request& request, const FromDense& call, const void* buffer) {
  request.checks([call](const Arguments&, const Arguments& arguments) {
    return wrong_structure("matB", call.sparse, arguments.data());
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matB", call.sparse, Use::read, Use::write);
        append(arguments, "matA", call.dense, Use::read);
        arguments.push_back(buffer_of(buffer, call.bytes, Use::update));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const std::size_t size = libraries::bytes_of(call.dense.type);
        const MatrixArrays arrays = arrays_of(call.sparse, arguments.data());
        for_each_entry(call.sparse, arrays,
                       [&](std::int64_t row, std::int64_t column, std::int64_t at) {
                         std::copy_n(arguments[3].host + call.dense.at(row, column) * size, size,
                                     arrays.values + static_cast<std::size_t>(at) * size);
                       });
      });
}

Status from_dense_convert(const Caller& caller, Handle* handle, const DenseMatrix* a,
                          const SparseMatrix* b, int /*algorithm*/, void* buffer) {
  Request request(caller, handle);
  const FromDense call = check_from_dense(request, a, b);
  if (call.sparse.format == Format::blocked_ell) return into_blocks(request, call, buffer);
  const bool is_coo = call.sparse.format == Format::coo;
  request.checks([call](const Arguments&, const Arguments& arguments) {
    const std::int64_t found = count_non_zeros(call.dense, call.sparse.format, arguments[3].host);
    if (found == call.sparse.entries) return std::optional<WrongContents>();
    return std::optional(
        WrongContents{.got = fmt::format("matA has {} elements that are not 0, and matB {} entries",
                                         found, call.sparse.entries),
                      .want = "cusparseDenseToSparse_analysis after the last change of matA"});
  });
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append(arguments, "matB", call.sparse, Use::write, Use::write);
        // The analysis wrote the offsets.
        if (!is_coo) libraries::set_use(arguments[0], Use::read);
        append(arguments, "matA", call.dense, Use::read);
        arguments.push_back(buffer_of(buffer, call.bytes, Use::update));
        return arguments;
      },
      [=](const Arguments&, const Arguments& arguments) {
        const SparseMatrix& m = call.sparse;
        const auto base = static_cast<std::int64_t>(m.base);
        const std::size_t size = libraries::bytes_of(m.type);
        std::int64_t next = 0;
        for_each_non_zero(call.dense, m.format, arguments[3].host,
                          [&](std::int64_t row, std::int64_t column, std::size_t at) {
                            if (is_coo)
                              set_index(m.offset_type, arguments[0].host, next, row + base);
                            set_index(m.index_type, arguments[1].host, next,
                                      (m.format == Format::csc ? row : column) + base);
                            std::copy_n(arguments[3].host + at * size, size,
                                        arguments[2].host + static_cast<std::size_t>(next) * size);
                            ++next;
                          });
      });
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseSparseToDense_bufferSize, to_dense_buffer_size)
WARPSIM_EXPORT_OWN(cusparseSparseToDense, to_dense)
WARPSIM_EXPORT_OWN(cusparseDenseToSparse_bufferSize, from_dense_buffer_size)
WARPSIM_EXPORT_OWN(cusparseDenseToSparse_analysis, from_dense_analysis)
WARPSIM_EXPORT_OWN(cusparseDenseToSparse_convert, from_dense_convert)
