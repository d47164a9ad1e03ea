#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/data/array.h"
#include "harness/data/expected.h"

namespace warpgrade {

struct Mismatch {
  std::uint64_t index = 0;  // flat, row-major
  double got = 0;
  double want = 0;
  double bound = 0;  // largest |got - want| allowed there
};

/// An output compared with its expected values.
struct Comparison {
  std::uint64_t count = 0;  // elements compared
  std::uint64_t mismatches = 0;  // exact, however few are listed
  std::vector<Mismatch> first;  // in index order
  /// The largest |got - want| / bound of all elements. Infinite if there is an unexpected NaN or
  /// infinity.
  double worst_ratio = 0;
  double max_error = 0;  // |got - want| at that element
  double bound = 0;  // allowed there
  std::uint64_t worst_index = 0;

  [[nodiscard]] bool passed() const { return mismatches == 0; }
};

/// Compares element by element; a NaN matches only a NaN, an infinity one of its sign, and an
/// element that still holds the poison (poison.h) matches nothing.
/// @param got    the worker's output; same count as `want`
/// @param limit  most mismatches to list
/// @throws std::invalid_argument  if counts differ (an internal error)
[[nodiscard]] Comparison compare(const Array& got, const Expected& want, std::size_t limit = 8);

/// Element by element: whether it is within its bound.
[[nodiscard]] std::vector<bool> matches(const Array& got, const Expected& want);

}  // namespace warpgrade
