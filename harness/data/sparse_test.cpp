#include "harness/data/sparse.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <utility>

namespace warpgrade {

namespace {

std::vector<std::uint64_t> lengths_of(const SparsePattern& pattern) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t row = 0; row + 1 < pattern.row_starts.size(); ++row) {
    lengths.push_back(pattern.row_starts[row + 1] - pattern.row_starts[row]);
  }
  return lengths;
}

/// The positions of all elements, from a format's arrays.
std::multiset<std::pair<std::uint64_t, std::uint64_t>> positions(const SparsePattern& pattern,
                                                                 SparseFormat format) {
  const auto array = [&](SparsePart part) { return indices_of(pattern, format, part); };
  const auto columns = array(SparsePart::columns);
  std::multiset<std::pair<std::uint64_t, std::uint64_t>> found;
  if (format == SparseFormat::coo) {
    const auto rows = array(SparsePart::row_indices);
    for (std::size_t k = 0; k < rows.size(); ++k) found.emplace(rows[k], columns[k]);
  } else if (format == SparseFormat::csr) {
    const auto starts = array(SparsePart::row_starts);
    for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
      for (std::uint64_t k = starts[row]; k < starts[row + 1]; ++k) found.emplace(row, columns[k]);
    }
  } else {
    const auto order = array(SparsePart::row_order);
    const auto lengths = array(SparsePart::row_lengths);
    const auto starts = array(SparsePart::diagonal_starts);
    for (std::size_t place = 0; place < order.size(); ++place) {
      for (std::uint64_t k = 0; k < lengths[place]; ++k) {
        found.emplace(order[place], columns.at(starts[k] + place));
      }
    }
  }
  return found;
}

}  // namespace

TEST_CASE("a sparse matrix has exactly its number of different elements", "[data][sparse]") {
  const SparseExtents extents{.rows = 50, .columns = 40, .nonzeros = 333, .longest = std::nullopt};
  for (const RowLengths kind : {RowLengths::uniform, RowLengths::equal, RowLengths::power_law,
                                RowLengths::empty_rows, RowLengths::one_long}) {
    INFO(row_length_names()[static_cast<std::size_t>(kind)]);
    const SparsePattern pattern = make_sparse_pattern(extents, kind, 7);
    CHECK(pattern.row_starts.size() == 51);
    CHECK(pattern.row_starts.back() == 333);
    CHECK(*std::max_element(pattern.columns.begin(), pattern.columns.end()) < 40);
    const auto found = positions(pattern, SparseFormat::csr);
    CHECK(std::set(found.begin(), found.end()).size() == 333);
  }
}

TEST_CASE("rows have the lengths of their distribution", "[data][sparse]") {
  const SparseExtents extents{.rows = 90, .columns = 500, .nonzeros = 900, .longest = std::nullopt};
  const auto lengths = [&](RowLengths kind) {
    auto all = lengths_of(make_sparse_pattern(extents, kind, 3));
    return all;
  };
  const auto longest = [](const std::vector<std::uint64_t>& all) {
    return *std::max_element(all.begin(), all.end());
  };
  CHECK(longest(lengths(RowLengths::equal)) == 10);
  CHECK(longest(lengths(RowLengths::uniform)) < 20);
  CHECK(longest(lengths(RowLengths::one_long)) == 450);
  const auto power = lengths(RowLengths::power_law);
  CHECK(longest(power) > 100);
  CHECK(std::count_if(power.begin(), power.end(), [](auto n) { return n < 10; }) > 60);
  const auto some = lengths(RowLengths::empty_rows);
  CHECK(std::count(some.begin(), some.end(), 0U) == 30);
}

TEST_CASE("the longest row has the length that is asked for", "[data][sparse]") {
  const SparseExtents extents{.rows = 30, .columns = 60, .nonzeros = 100, .longest = 17};
  for (const RowLengths kind :
       {RowLengths::uniform, RowLengths::power_law, RowLengths::empty_rows, RowLengths::one_long}) {
    const auto lengths = lengths_of(make_sparse_pattern(extents, kind, 11));
    CHECK(*std::max_element(lengths.begin(), lengths.end()) == 17);
  }
}

TEST_CASE("all formats hold the same elements", "[data][sparse]") {
  const SparseExtents extents{.rows = 20, .columns = 30, .nonzeros = 77, .longest = std::nullopt};
  const SparsePattern pattern = make_sparse_pattern(extents, RowLengths::power_law, 5);
  const auto csr = positions(pattern, SparseFormat::csr);
  CHECK(csr.size() == 77);
  CHECK(positions(pattern, SparseFormat::coo) == csr);
  CHECK(positions(pattern, SparseFormat::jds) == csr);
  const auto lengths = indices_of(pattern, SparseFormat::jds, SparsePart::row_lengths);
  CHECK(std::is_sorted(lengths.rbegin(), lengths.rend()));
}

TEST_CASE("a seed gives the same matrix again, another seed another one", "[data][sparse]") {
  const SparseExtents extents{.rows = 20, .columns = 30, .nonzeros = 77, .longest = std::nullopt};
  const auto columns = [&](std::uint64_t seed) {
    return make_sparse_pattern(extents, RowLengths::uniform, seed).columns;
  };
  CHECK(columns(5) == columns(5));
  CHECK(columns(5) != columns(6));
}

TEST_CASE("empty and full matrices exist, impossible ones are refused", "[data][sparse]") {
  const auto extents = [](std::uint64_t rows, std::uint64_t columns, std::uint64_t nonzeros,
                          std::optional<std::uint64_t> longest = std::nullopt) {
    return SparseExtents{
        .rows = rows, .columns = columns, .nonzeros = nonzeros, .longest = longest};
  };
  CHECK(make_sparse_pattern(extents(0, 0, 0), RowLengths::uniform, 1).row_starts.size() == 1);
  CHECK(make_sparse_pattern(extents(3, 4, 0), RowLengths::power_law, 1).columns.empty());
  CHECK(make_sparse_pattern(extents(3, 4, 12), RowLengths::one_long, 1).columns.size() == 12);
  CHECK(make_sparse_pattern(extents(3, 4, 12), RowLengths::empty_rows, 1).columns.size() == 12);
  CHECK(make_sparse_pattern(extents(1, 1, 1, 1), RowLengths::uniform, 1).columns.size() == 1);
  CHECK(impossible(extents(3, 4, 13)) == "13 elements do not fit in 3 rows of at most 4");
  CHECK(impossible(extents(3, 4, 5, 6)) == "a row of 6 elements does not fit in 4 columns");
  CHECK(impossible(extents(3, 9, 5, 6)) ==
        "the longest row has 6 elements, all rows together only 5");
  CHECK(impossible(extents(3, 9, 5, 1)) == "5 elements do not fit in 3 rows of at most 1");
  CHECK_FALSE(impossible(extents(1, 9, 5, 3)).empty());
}

}  // namespace warpgrade
