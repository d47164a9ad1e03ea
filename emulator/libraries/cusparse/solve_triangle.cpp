#include "emulator/libraries/cusparse/solve.h"

namespace warpsim::cusparse {

std::optional<WrongContents> wrong_triangle(const SparseMatrix& a, const LibraryArgument* arrays) {
  if (auto wrong = wrong_structure("matA", a, arrays)) return wrong;
  if (a.diagonal == Diagonal::unit) return std::nullopt;
  std::vector<bool> has(static_cast<std::size_t>(a.rows));
  for_each_entry(a, arrays_of(a, arrays), [&](std::int64_t row, std::int64_t column, std::int64_t) {
    if (row == column) has[static_cast<std::size_t>(row)] = true;
  });
  for (std::size_t row = 0; row < has.size(); ++row) {
    if (!has[row]) {
      return WrongContents{
          .got = fmt::format("matA has no element on the diagonal in row {}",
                             static_cast<std::int64_t>(row) + static_cast<std::int64_t>(a.base)),
          .want = "one in each row, or CUSPARSE_DIAG_TYPE_UNIT"};
    }
  }
  return std::nullopt;
}

void read_triangle(const SparseMatrix& a, Operation operation, const LibraryArgument* arrays,
                   Triangle& triangle) {
  triangle = {.operation = operation,
              .fill = a.fill.value_or(Fill::lower),
              .diagonal = a.diagonal.value_or(Diagonal::non_unit),
              .order = a.rows,
              .type = a.type,
              .entries = entries_of<std::complex<double>>(a, arrays_of(a, arrays))};
}

void update_triangle(Triangle& triangle, Update part, const std::byte* values) {
  const auto value = [&](std::size_t at) {
    return load<std::complex<double>>(triangle.type, values, at);
  };
  for (std::size_t i = 0; i < triangle.entries.size(); ++i) {
    auto& entry = triangle.entries[i];
    if (part == Update::general) {
      entry.value = value(i);
    } else if (entry.row == entry.column) {
      entry.value = value(static_cast<std::size_t>(entry.row));
    }
  }
}

}  // namespace warpsim::cusparse
