#include "harness/data/sparse.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_set>

#include "harness/data/random.h"

namespace warpgrade {

namespace {

using Lengths = std::vector<std::uint64_t>;

std::uint64_t sum_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
}

/// The share of a row in the elements, up to a factor.
double weight_of(RowLengths lengths, std::uint64_t row, std::uint64_t rank, const Random& random) {
  switch (lengths) {
    case RowLengths::power_law:
      return 1.0 / static_cast<double>(rank + 1);
    case RowLengths::empty_rows:
      return row % 3 == 1 ? 0 : 0.5 + random.uniform(row);
    case RowLengths::equal:
      return 1;
    case RowLengths::uniform:
    case RowLengths::one_long:
      break;
  }
  return 0.5 + random.uniform(row);
}

/// The rows in random order.
Lengths shuffled(std::uint64_t count, std::uint64_t seed) {
  Lengths order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const Random random(seed);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return random.bits(a) < random.bits(b);
  });
  return order;
}

/// Adds or removes elements, one per row and round, until the sum is right. Rows that must be empty
/// are filled only when all others are full.
void adjust(Lengths& lengths, const std::vector<bool>& is_fixed, std::uint64_t nonzeros,
            std::uint64_t most, bool keeps_empty) {
  std::uint64_t sum = sum_of(lengths);
  for (bool changed = true; sum != nonzeros;) {
    if (!changed) keeps_empty = false;
    changed = false;
    for (std::uint64_t row = 0; row < lengths.size() && sum != nonzeros; ++row) {
      if (is_fixed[row] || (keeps_empty && lengths[row] == 0)) continue;
      if (sum < nonzeros && lengths[row] < most) {
        ++lengths[row];
        ++sum;
        changed = true;
      } else if (sum > nonzeros && lengths[row] > (keeps_empty ? 1 : 0)) {
        --lengths[row];
        --sum;
        changed = true;
      }
    }
  }
}

Lengths draw_lengths(const SparseExtents& extents, RowLengths kind, std::uint64_t seed) {
  const std::uint64_t rows = extents.rows;
  Lengths lengths(rows);
  if (rows == 0 || extents.nonzeros == 0) return lengths;
  const Random random(seed);
  const Lengths order = shuffled(rows, seed + 1);
  std::vector<double> weights(rows);
  double total = 0;
  for (std::uint64_t rank = 0; rank < rows; ++rank) {
    weights[order[rank]] = weight_of(kind, order[rank], rank, random);
    total += weights[order[rank]];
  }
  const std::uint64_t most = std::min(extents.longest.value_or(extents.columns), extents.columns);
  std::vector<bool> is_fixed(rows);
  std::uint64_t left = extents.nonzeros;
  // The longest row, if it is given or the distribution has one.
  const bool has_long = kind == RowLengths::one_long;
  std::uint64_t row = order.front();
  if (kind == RowLengths::empty_rows && row % 3 == 1) row = row + 1 < rows ? row + 1 : row - 1;
  if (extents.longest || has_long) {
    const std::uint64_t half = std::min(most, (extents.nonzeros + 1) / 2);
    lengths[row] = extents.longest ? most : std::max<std::uint64_t>(half, 1);
    is_fixed[row] = true;
    left -= lengths[row];
    total -= weights[row];
  }
  for (std::uint64_t i = 0; i < rows; ++i) {
    if (is_fixed[i] || !(total > 0)) continue;
    const double share = static_cast<double>(left) * weights[i] / total;
    lengths[i] = std::min(most, static_cast<std::uint64_t>(share));
  }
  const bool unconstrained = rows > 1 || !is_fixed[0];
  if (unconstrained) {
    adjust(lengths, is_fixed, extents.nonzeros, most, kind == RowLengths::empty_rows);
  }
  return lengths;
}

/// `count` different columns, ascending.
void draw_columns(std::uint64_t count, std::uint64_t columns, std::uint64_t seed,
                  std::vector<std::uint64_t>& to) {
  const Random random(seed);
  const auto first = static_cast<std::ptrdiff_t>(to.size());
  if (2 * count > columns) {
    Lengths order = shuffled(columns, seed);
    to.insert(to.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  } else {
    std::unordered_set<std::uint64_t> drawn;
    for (std::uint64_t i = 0; drawn.size() < count; ++i) {
      const std::uint64_t column = random.bits(i) % columns;
      if (drawn.insert(column).second) to.push_back(column);
    }
  }
  std::sort(to.begin() + first, to.end());
}

/// Rows by descending length; rows of equal length stay in order.
std::vector<std::uint64_t> jagged_order(const SparsePattern& pattern) {
  std::vector<std::uint64_t> order(pattern.row_starts.size() - 1);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const auto length = [&](std::uint64_t row) {
    return pattern.row_starts[row + 1] - pattern.row_starts[row];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return length(a) > length(b); });
  return order;
}

std::vector<std::uint64_t> jagged_indices(const SparsePattern& pattern, SparsePart part) {
  const std::vector<std::uint64_t> order = jagged_order(pattern);
  if (part == SparsePart::row_order) return order;
  std::vector<std::uint64_t> lengths;
  for (const std::uint64_t row : order) {
    lengths.push_back(pattern.row_starts[row + 1] - pattern.row_starts[row]);
  }
  if (part == SparsePart::row_lengths) return lengths;
  const std::uint64_t longest = lengths.empty() ? 0 : lengths.front();
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint64_t> columns;
  for (std::uint64_t k = 0; k < longest; ++k) {
    for (std::uint64_t i = 0; i < order.size() && lengths[i] > k; ++i) {
      columns.push_back(pattern.columns[pattern.row_starts[order[i]] + k]);
    }
    starts.push_back(columns.size());
  }
  return part == SparsePart::diagonal_starts ? starts : columns;
}

}  // namespace

const std::vector<std::string>& sparse_format_names() {
  static const std::vector<std::string> names = {"csr", "coo", "jds"};
  return names;
}

const std::vector<std::string>& sparse_part_names() {
  static const std::vector<std::string> names = {"row_starts",     "row_indices", "columns",
                                                 "values",         "row_order",   "row_lengths",
                                                 "diagonal_starts"};
  return names;
}

const std::vector<std::string>& row_length_names() {
  static const std::vector<std::string> names = {"uniform", "equal", "power-law", "empty-rows",
                                                 "one-long"};
  return names;
}

bool has_part(SparseFormat format, SparsePart part) {
  switch (part) {
    case SparsePart::columns:
    case SparsePart::values:
      return true;
    case SparsePart::row_starts:
      return format == SparseFormat::csr;
    case SparsePart::row_indices:
      return format == SparseFormat::coo;
    case SparsePart::row_order:
    case SparsePart::row_lengths:
    case SparsePart::diagonal_starts:
      break;
  }
  return format == SparseFormat::jds;
}

std::string impossible(const SparseExtents& extents) {
  const auto& [rows, columns, nonzeros, longest] = extents;
  if (longest && *longest > columns) {
    return fmt::format("a row of {} elements does not fit in {} columns", *longest, columns);
  }
  if (longest && *longest > nonzeros) {
    return fmt::format("the longest row has {} elements, all rows together only {}", *longest,
                       nonzeros);
  }
  const std::uint64_t most = longest.value_or(columns);
  if (most == 0 ? nonzeros > 0 : (nonzeros + most - 1) / most > rows) {
    return fmt::format("{} elements do not fit in {} rows of at most {}", nonzeros, rows, most);
  }
  return "";
}

SparsePattern make_sparse_pattern(const SparseExtents& extents, RowLengths lengths,
                                  std::uint64_t seed) {
  if (const std::string why = impossible(extents); !why.empty()) throw std::invalid_argument(why);
  SparsePattern pattern;
  pattern.row_starts.push_back(0);
  std::uint64_t row = 0;
  for (const std::uint64_t length : draw_lengths(extents, lengths, seed)) {
    draw_columns(length, extents.columns, Random(seed).bits(row++), pattern.columns);
    pattern.row_starts.push_back(pattern.columns.size());
  }
  return pattern;
}

std::vector<std::uint64_t> indices_of(const SparsePattern& pattern, SparseFormat format,
                                      SparsePart part) {
  if (format == SparseFormat::jds) return jagged_indices(pattern, part);
  if (part == SparsePart::row_starts) return pattern.row_starts;
  if (part == SparsePart::columns) return pattern.columns;
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row + 1 < pattern.row_starts.size(); ++row) {
    rows.insert(rows.end(), pattern.row_starts[row + 1] - pattern.row_starts[row], row);
  }
  return rows;
}

}  // namespace warpgrade
