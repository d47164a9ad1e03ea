#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// How the elements of a sparse matrix are stored. All indices begin at 0; elements of a row are in
/// ascending order of their columns.
enum class SparseFormat : std::uint8_t {
  csr,  // rows one after another: row_starts, columns, values
  coo,  // one triple per element, in row order: row_indices, columns, values
  jds,  // rows by descending length, then element by element of all rows ("jagged diagonals"):
        // row_order, row_lengths, diagonal_starts, columns, values
};

/// An array of a sparse matrix.
enum class SparsePart : std::uint8_t {
  row_starts,  // [rows + 1]: where a row begins; the last is the number of elements
  row_indices,  // [nonzeros]: the row of an element
  columns,  // [nonzeros]: the column of an element
  values,  // [nonzeros]
  row_order,  // [rows]: the row that is stored at this place
  row_lengths,  // [rows]: its number of elements
  diagonal_starts,  // [longest + 1]: where the k-th elements of all rows begin
};

/// How the elements are distributed over the rows.
enum class RowLengths : std::uint8_t {
  uniform,  // each element in any row: lengths near the mean
  equal,  // lengths differ by at most one
  power_law,  // a few long rows, many short ones: lengths proportional to 1 / rank
  empty_rows,  // every third row is empty, the others as for uniform
  one_long,  // half of all elements, or a full row, in one row
};

/// Names as in lab.toml and in data sets, in the order of the enumerations: "csr", "row_starts",
/// "power-law".
[[nodiscard]] const std::vector<std::string>& sparse_format_names();
[[nodiscard]] const std::vector<std::string>& sparse_part_names();
[[nodiscard]] const std::vector<std::string>& row_length_names();
/// Whether a matrix in this format has this part.
[[nodiscard]] bool has_part(SparseFormat format, SparsePart part);

struct SparseExtents {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t nonzeros = 0;  // stored elements, exactly
  std::optional<std::uint64_t> longest;  // elements of the longest row, exactly; nothing: any
};

/// Why there is no such matrix, as a sentence's end: "40 elements do not fit in 3 rows of ...".
/// Empty if there is one.
[[nodiscard]] std::string impossible(const SparseExtents& extents);

/// The positions of a matrix's elements, the same for the same seed on every machine.
struct SparsePattern {
  std::vector<std::uint64_t> row_starts;  // rows + 1
  std::vector<std::uint64_t> columns;  // ascending within a row
};

/// @throws std::invalid_argument  if there is no such matrix
[[nodiscard]] SparsePattern make_sparse_pattern(const SparseExtents& extents, RowLengths lengths,
                                                std::uint64_t seed);

/// An array of indices of the matrix in a format; not for `values`, which have no order of their
/// own: the k-th value is that of the k-th column.
[[nodiscard]] std::vector<std::uint64_t> indices_of(const SparsePattern& pattern,
                                                    SparseFormat format, SparsePart part);

}  // namespace warpgrade
