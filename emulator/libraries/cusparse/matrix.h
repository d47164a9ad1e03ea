#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "emulator/libraries/cusparse/request.h"

// Descriptors as the arguments of a call, and what their arrays contain.

namespace warpsim::cusparse {

using cudart::WrongContents;

[[nodiscard]] constexpr std::size_t bytes_of(IndexType type) {
  return type == IndexType::i64 ? 8 : type == IndexType::i32 ? 4 : 2;
}
[[nodiscard]] inline std::int64_t index_at(IndexType type, const std::byte* array,
                                           std::int64_t at) {
  const std::byte* const place = array + static_cast<std::size_t>(at) * bytes_of(type);
  if (type == IndexType::i64) return *reinterpret_cast<const std::int64_t*>(place);
  if (type == IndexType::i32) return *reinterpret_cast<const std::int32_t*>(place);
  return *reinterpret_cast<const std::uint16_t*>(place);
}
inline void set_index(IndexType type, std::byte* array, std::int64_t at, std::int64_t value) {
  std::byte* const place = array + static_cast<std::size_t>(at) * bytes_of(type);
  if (type == IndexType::i64) {
    *reinterpret_cast<std::int64_t*>(place) = value;
  } else {
    *reinterpret_cast<std::int32_t*>(place) = static_cast<std::int32_t>(value);
  }
}

/// The names of a sparse matrix's arrays: "csrRowOffsets".
struct ArrayNames {
  const char* offsets;
  const char* indices;
  const char* values;
};
[[nodiscard]] ArrayNames names_of(Format format);

/// Appends three arguments: the offsets, the indices and the values of a matrix.
/// @param name  "matA"
void append(Arguments& arguments, const std::string& name, const SparseMatrix& matrix,
            Use structure, Use values);
/// Two arguments: the indices and the values.
void append(Arguments& arguments, const std::string& name, const SparseVector& vector,
            Use structure, Use values);
/// One argument.
void append(Arguments& arguments, const std::string& name, const DenseVector& vector, Use use);
void append(Arguments& arguments, const std::string& name, const DenseMatrix& matrix, Use use);

/// The first of the offsets and indices that no such matrix has. @param arrays  what append() made
[[nodiscard]] std::optional<WrongContents> wrong_structure(const std::string& name,
                                                           const SparseMatrix& matrix,
                                                           const LibraryArgument* arrays);
[[nodiscard]] std::optional<WrongContents> wrong_structure(const std::string& name,
                                                           const SparseVector& vector,
                                                           const LibraryArgument* arrays);

/// The first wrong offset of a compressed matrix.
[[nodiscard]] std::optional<WrongContents> wrong_offsets(const std::string& name,
                                                         const SparseMatrix& matrix,
                                                         const std::byte* offsets);

/// The arrays of one matrix of a batch.
struct MatrixArrays {
  const std::byte* offsets;
  const std::byte* indices;
  std::byte* values;
};
[[nodiscard]] MatrixArrays arrays_of(const SparseMatrix& matrix, const LibraryArgument* arrays,
                                     int number = 0);

/// Calls `visit(row, column, position of the value)` for each element that is stored, in the order
/// of the arrays. The structure must be right.
template <class Visit>
void for_each_entry(const SparseMatrix& m, const MatrixArrays& arrays, Visit visit) {
  const auto base = static_cast<std::int64_t>(m.base);
  const auto index = [&](std::int64_t at) {
    return index_at(m.index_type, arrays.indices, at) - base;
  };
  const auto offset = [&](std::int64_t at) {
    return index_at(m.offset_type, arrays.offsets, at) - base;
  };
  const auto block = [&](std::int64_t row, std::int64_t column, auto position) {
    for (std::int64_t i = 0; i < m.block_rows; ++i) {
      for (std::int64_t j = 0; j < m.block_columns; ++j) {
        visit(row * m.block_rows + i, column * m.block_columns + j, position(i, j));
      }
    }
  };
  switch (m.format) {
    case Format::coo:
      for (std::int64_t at = 0; at < m.entries; ++at) visit(offset(at), index(at), at);
      break;
    case Format::csc:
      for (std::int64_t column = 0; column < m.columns; ++column) {
        const std::int64_t end = offset(column + 1);
        for (std::int64_t at = offset(column); at < end; ++at) visit(index(at), column, at);
      }
      break;
    case Format::bsr:
      for (std::int64_t row = 0; row < m.lines(); ++row) {
        for (std::int64_t at = offset(row); at < offset(row + 1); ++at) {
          const std::int64_t first = at * m.block_rows * m.block_columns;
          block(row, index(at), [&](std::int64_t i, std::int64_t j) {
            return first +
                   (m.block_order == Order::row ? i * m.block_columns + j : j * m.block_rows + i);
          });
        }
      }
      break;
    case Format::blocked_ell: {
      const std::int64_t blocks = m.ell_columns / m.block_columns;
      for (std::int64_t row = 0; row < m.lines(); ++row) {
        for (std::int64_t at = 0; at < blocks; ++at) {
          const std::int64_t column = index(row * blocks + at);
          if (column < 0) continue;  // no block
          block(row, column, [&](std::int64_t i, std::int64_t j) {
            return (row * m.block_rows + i) * m.ell_columns + at * m.block_columns + j;
          });
        }
      }
      break;
    }
    default:
      for (std::int64_t row = 0; row < m.rows; ++row) {
        const std::int64_t end = offset(row + 1);
        for (std::int64_t at = offset(row); at < end; ++at) visit(row, index(at), at);
      }
  }
}

/// An element of a sparse matrix.
template <class T>
struct Entry {
  std::int64_t row = 0, column = 0;
  T value = {};
};

/// All elements of a matrix in the order of its arrays, after an operation, as T.
template <class T>
[[nodiscard]] std::vector<Entry<T>> entries_of(const SparseMatrix& matrix,
                                               const MatrixArrays& arrays,
                                               Operation operation = Operation::none) {
  std::vector<Entry<T>> entries;
  entries.reserve(static_cast<std::size_t>(matrix.value_count()));
  for_each_entry(matrix, arrays, [&](std::int64_t row, std::int64_t column, std::int64_t at) {
    const T value = load<T>(matrix.type, arrays.values, static_cast<std::size_t>(at));
    if (operation == Operation::none) {
      entries.push_back({row, column, value});
    } else {
      entries.push_back(
          {column, row, operation == Operation::transpose ? value : libraries::conjugate(value)});
    }
  });
  return entries;
}

/// Elements in the order of rows, and where each row begins: rows + 1 offsets. The order inside a
/// row stays.
template <class T>
struct Rows {
  std::vector<std::size_t> begin;
  std::vector<Entry<T>> entries;
};
template <class T>
[[nodiscard]] Rows<T> by_rows(const std::vector<Entry<T>>& entries, std::int64_t rows) {
  Rows<T> made = {.begin = std::vector<std::size_t>(static_cast<std::size_t>(rows) + 1),
                  .entries = std::vector<Entry<T>>(entries.size())};
  for (const Entry<T>& entry : entries) ++made.begin[static_cast<std::size_t>(entry.row) + 1];
  for (std::size_t i = 1; i < made.begin.size(); ++i) made.begin[i] += made.begin[i - 1];
  std::vector<std::size_t> next = made.begin;
  for (const Entry<T>& entry : entries) {
    made.entries[next[static_cast<std::size_t>(entry.row)]++] = entry;
  }
  return made;
}

/// The size after an operation.
[[nodiscard]] inline std::int64_t rows_of(std::int64_t rows, std::int64_t columns,
                                          Operation operation) {
  return operation == Operation::none ? rows : columns;
}

}  // namespace warpsim::cusparse
