#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/libraries/cusparse/matrix.h"

// A triangular system of equations with a sparse matrix, for SpSV and SpSM.

namespace warpsim::cusparse {

/// What the analysis keeps of a matrix. As with cuSPARSE, solves use the values that it had then.
struct Triangle {
  Operation operation = Operation::none;  // applied to the entries
  Fill fill = Fill::lower;  // before the operation
  Diagonal diagonal = Diagonal::non_unit;
  std::int64_t order = 0;
  DataType type = DataType::f32;
  std::vector<Entry<std::complex<double>>> entries;  // as they are stored
};

/// cusparseSpSVDescr_t or cusparseSpSMDescr_t. Work that was issued keeps the triangle.
struct Solve {
  std::shared_ptr<Triangle> triangle;  // null until the analysis
  void* buffer = nullptr;  // of the analysis
  std::size_t buffer_bytes = 0;
};
struct VectorSolve : Solve {};
struct MatrixSolve : Solve {};

/// The argument of the analysis that is a matrix without a diagonal, or with a wrong structure.
[[nodiscard]] std::optional<WrongContents> wrong_triangle(const SparseMatrix& a,
                                                          const LibraryArgument* arrays);

/// Reads the matrix.
void read_triangle(const SparseMatrix& a, Operation operation, const LibraryArgument* arrays,
                   Triangle& triangle);

/// Replaces all values, in the order of the entries, or those on the diagonal, by rows.
void update_triangle(Triangle& triangle, Update part, const std::byte* values);

/// The right sides and the results of a system, by columns.
struct Sides {
  DenseMatrix b, c;
  Operation op_b = Operation::none;
};

/// C = alpha op(A)^-1 op(B)
template <class T>
void solve_triangle(const Triangle& triangle, const Sides& sides, T alpha,
                    const std::byte* b_values, std::byte* c_values) {
  const bool plain = triangle.operation == Operation::none;
  std::vector<Entry<T>> used;
  std::vector<T> pivots(static_cast<std::size_t>(triangle.order), T(1));
  for (const auto& entry : triangle.entries) {
    T value = {};
    if constexpr (kIsComplex<T>) {
      value = T(entry.value);
    } else {
      value = static_cast<T>(entry.value.real());
    }
    if (triangle.operation == Operation::conjugate_transpose) value = libraries::conjugate(value);
    if (entry.row == entry.column) {
      if (triangle.diagonal == Diagonal::non_unit) {
        pivots[static_cast<std::size_t>(entry.row)] = value;
      }
    } else if ((entry.column < entry.row) == (triangle.fill == Fill::lower)) {
      used.push_back(plain ? Entry<T>{entry.row, entry.column, value}
                           : Entry<T>{entry.column, entry.row, value});
    }
  }
  const Rows<T> rows = by_rows(used, triangle.order);
  const bool forward = (triangle.fill == Fill::lower) == plain;
  std::vector<T> x(pivots.size());
  for (std::int64_t column = 0; column < sides.c.columns; ++column) {
    for (std::int64_t step = 0; step < triangle.order; ++step) {
      const std::int64_t row = forward ? step : triangle.order - 1 - step;
      const auto at = static_cast<std::size_t>(row);
      T right = sides.op_b == Operation::none
                    ? load<T>(sides.b.type, b_values, sides.b.at(row, column))
                    : load<T>(sides.b.type, b_values, sides.b.at(column, row));
      if (sides.op_b == Operation::conjugate_transpose) right = libraries::conjugate(right);
      T sum = alpha * right;
      for (std::size_t i = rows.begin[at]; i < rows.begin[at + 1]; ++i) {
        sum -= rows.entries[i].value * x[static_cast<std::size_t>(rows.entries[i].column)];
      }
      x[at] = sum / pivots[at];
    }
    for (std::int64_t row = 0; row < triangle.order; ++row) {
      store(sides.c.type, c_values, sides.c.at(row, column), x[static_cast<std::size_t>(row)]);
    }
  }
}

}  // namespace warpsim::cusparse
