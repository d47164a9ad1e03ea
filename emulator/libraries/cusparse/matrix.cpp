#include "emulator/libraries/cusparse/matrix.h"

#include <utility>

namespace warpsim::cusparse {
namespace {

/// An array of each matrix of a batch. @param stride  in elements
LibraryArgument array_of(const char* array, const std::string& owner, const void* memory,
                         std::size_t element_bytes, std::int64_t count, int batch,
                         std::int64_t stride, Use use) {
  LibraryArgument made =
      vector_of(fmt::format("{} of {}", array, owner), memory, element_bytes, count, 1, use);
  if (batch > 1) {
    made.shape += fmt::format(", {} times, {} apart", batch, stride);
    made.side.row_pitch = static_cast<std::uint64_t>(stride) * element_bytes;
    made.box.height = static_cast<std::uint64_t>(batch);
  }
  return made;
}

/// What an index of an array must be.
struct IndexRange {
  const char* array;
  const std::string& owner;
  IndexBase base;
  std::int64_t count;  // of rows or columns
  const char* counted;  // "columns"

  /// @param line  ", in row 1,", or nothing
  [[nodiscard]] std::optional<WrongContents> wrong(std::int64_t at, std::int64_t index,
                                                   const std::string& line) const {
    const auto least = static_cast<std::int64_t>(base);
    if (index >= least && index < count + least) return std::nullopt;
    return WrongContents{
        .got = fmt::format("{}[{}] of {}{} is {}", array, at, owner, line, index),
        .want = count == 0 ? fmt::format("no index, as {} has 0 {}", owner, counted)
                           : fmt::format("{} to {}: {} has {} {}, and its index base is {}", least,
                                         count - 1 + least, owner, count, counted, least)};
  }
};

std::optional<WrongContents> wrong_in_batch(const std::string& name, const SparseMatrix& m,
                                            const MatrixArrays& arrays) {
  const ArrayNames names = names_of(m.format);
  const bool is_csc = m.format == Format::csc;
  const IndexRange indices = {.array = names.indices,
                              .owner = name,
                              .base = m.base,
                              .count = is_csc ? m.rows : m.columns / m.block_columns,
                              .counted = is_csc                ? "rows"
                                         : m.block_columns > 1 ? "columns of blocks"
                                                               : "columns"};
  if (m.format == Format::coo) {
    const IndexRange rows = {
        .array = names.offsets, .owner = name, .base = m.base, .count = m.rows, .counted = "rows"};
    for (std::int64_t at = 0; at < m.entries; ++at) {
      const std::int64_t row = index_at(m.offset_type, arrays.offsets, at);
      if (auto wrong = rows.wrong(at, row, "")) return wrong;
      if (auto wrong = indices.wrong(at, index_at(m.index_type, arrays.indices, at),
                                     fmt::format(", in row {},", row))) {
        return wrong;
      }
    }
    return std::nullopt;
  }
  if (m.format == Format::blocked_ell) {
    for (std::int64_t at = 0; at < m.index_count(); ++at) {
      const std::int64_t index = index_at(m.index_type, arrays.indices, at);
      if (index == static_cast<std::int64_t>(m.base) - 1) continue;  // no block
      if (auto wrong = indices.wrong(at, index, "")) return wrong;
    }
    return std::nullopt;
  }
  if (auto wrong = wrong_offsets(name, m, arrays.offsets)) return wrong;
  const auto base = static_cast<std::int64_t>(m.base);
  for (std::int64_t line = 0; line < m.lines(); ++line) {
    const std::int64_t end = index_at(m.offset_type, arrays.offsets, line + 1) - base;
    for (std::int64_t at = index_at(m.offset_type, arrays.offsets, line) - base; at < end; ++at) {
      const std::int64_t index = index_at(m.index_type, arrays.indices, at);
      if (index >= base && index < indices.count + base) continue;
      return indices.wrong(at, index, fmt::format(", in {} {},", is_csc ? "column" : "row", line));
    }
  }
  return std::nullopt;
}

}  // namespace

std::int64_t SparseMatrix::offset_count() const {
  if (format == Format::coo) return entries;
  return format == Format::blocked_ell ? 0 : lines() + 1;
}

std::int64_t SparseMatrix::index_count() const {
  return format == Format::blocked_ell ? lines() * (ell_columns / block_columns) : entries;
}

std::int64_t SparseMatrix::value_count() const {
  return format == Format::blocked_ell ? rows * ell_columns : entries * block_rows * block_columns;
}

ArrayNames names_of(Format format) {
  switch (format) {
    case Format::csc:
      return {"cscColOffsets", "cscRowInd", "cscValues"};
    case Format::coo:
      return {"cooRowInd", "cooColInd", "cooValues"};
    case Format::bsr:
      return {"bsrRowOffsets", "bsrColInd", "bsrValues"};
    case Format::blocked_ell:
      return {"", "ellColInd", "ellValue"};
    default:
      return {"csrRowOffsets", "csrColInd", "csrValues"};
  }
}

void append(Arguments& arguments, const std::string& name, const SparseMatrix& m, Use structure,
            Use values) {
  const ArrayNames names = names_of(m.format);
  arguments.push_back(array_of(names.offsets, name, m.offsets, bytes_of(m.offset_type),
                               m.offset_count(), m.batch, m.offsets_stride, structure));
  arguments.push_back(array_of(names.indices, name, m.indices, bytes_of(m.index_type),
                               m.index_count(), m.batch, m.indices_stride, structure));
  arguments.push_back(array_of(names.values, name, m.values, libraries::bytes_of(m.type),
                               m.value_count(), m.batch, m.values_stride, values));
}

void append(Arguments& arguments, const std::string& name, const SparseVector& v, Use structure,
            Use values) {
  arguments.push_back(
      array_of("indices", name, v.indices, bytes_of(v.index_type), v.entries, 1, 0, structure));
  arguments.push_back(
      array_of("values", name, v.values, libraries::bytes_of(v.type), v.entries, 1, 0, values));
}

void append(Arguments& arguments, const std::string& name, const DenseVector& v, Use use) {
  arguments.push_back(vector_of(name, v.values, libraries::bytes_of(v.type), v.size, 1, use));
}

void append(Arguments& arguments, const std::string& name, const DenseMatrix& m, Use use) {
  arguments.push_back(libraries::matrix_of(name, m.values, libraries::bytes_of(m.type),
                                           {.rows = m.rows,
                                            .columns = m.columns,
                                            .leading = m.leading,
                                            .batch = m.batch,
                                            .stride = m.stride,
                                            .by_rows = m.order == Order::row},
                                           use, "ld"));
}

std::optional<WrongContents> wrong_offsets(const std::string& name, const SparseMatrix& m,
                                           const std::byte* offsets) {
  const char* const array = names_of(m.format).offsets;
  const auto base = static_cast<std::int64_t>(m.base);
  std::int64_t before = base;
  for (std::int64_t at = 0; at <= m.lines(); ++at) {
    const std::int64_t offset = index_at(m.offset_type, offsets, at);
    if (offset < base) {
      return WrongContents{.got = fmt::format("{}[{}] of {} is {}", array, at, name, offset),
                           .want = fmt::format("at least {}, the index base of {}", base, name)};
    }
    if (offset < before) {
      return WrongContents{.got = fmt::format("{}[{}] of {} is {}, and the offset before it is {}",
                                              array, at, name, offset, before),
                           .want = "offsets that do not decrease"};
    }
    if (offset > m.entries + base) {
      return WrongContents{
          .got = fmt::format("{}[{}] of {} is {}", array, at, name, offset),
          .want =
              fmt::format("at most {}: {} has {} {}, and its index base is {}", m.entries + base,
                          name, m.entries, m.format == Format::bsr ? "blocks" : "entries", base)};
    }
    before = offset;
  }
  return std::nullopt;
}

std::optional<WrongContents> wrong_structure(const std::string& name, const SparseMatrix& matrix,
                                             const LibraryArgument* arrays) {
  for (int number = 0; number < matrix.batch; ++number) {
    const std::string which = matrix.batch == 1 ? name : fmt::format("{}[{}]", name, number);
    if (auto wrong = wrong_in_batch(which, matrix, arrays_of(matrix, arrays, number))) {
      return wrong;
    }
  }
  return std::nullopt;
}

std::optional<WrongContents> wrong_structure(const std::string& name, const SparseVector& v,
                                             const LibraryArgument* arrays) {
  const IndexRange range = {
      .array = "indices", .owner = name, .base = v.base, .count = v.size, .counted = "elements"};
  for (std::int64_t at = 0; at < v.entries; ++at) {
    if (auto wrong = range.wrong(at, index_at(v.index_type, arrays[0].host, at), "")) return wrong;
  }
  return std::nullopt;
}

MatrixArrays arrays_of(const SparseMatrix& m, const LibraryArgument* arrays, int number) {
  const auto bytes = [&](std::int64_t stride, std::size_t element) {
    return static_cast<std::size_t>(stride * number) * element;
  };
  return {.offsets = arrays[0].host + bytes(m.offsets_stride, bytes_of(m.offset_type)),
          .indices = arrays[1].host + bytes(m.indices_stride, bytes_of(m.index_type)),
          .values = arrays[2].host + bytes(m.values_stride, libraries::bytes_of(m.type))};
}

}  // namespace warpsim::cusparse
