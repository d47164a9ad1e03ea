#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/names.h"
#include "harness/data/array.h"
#include "harness/data/expected.h"

namespace warpgrade {

/// The pattern of a wrong output.
enum class PatternKind : std::uint8_t {
  none,  // nothing is wrong
  unwritten,  // no element was ever written
  all_zero,
  copy_of_input,  // the output equals one of the inputs
  first_element_only,  // wrong at index 0 only
  last_element_only,
  tail,  // right up to an index, wrong from there to the end
  first_bytes_only,  // right for one byte per element: a count was used instead of bytes
  first_block_only,  // right for one block's elements, wrong after them
  head,  // wrong up to an index, right after it
  shifted,  // got[i] is want[i + step]; of a matrix, where that element is not across an edge
  scaled,  // got is want times one factor
  wrong_sign,  // that factor is -1
  block_multiples,  // one position of each block of `step` elements
  periodic,  // the same positions are wrong in every group of `step` elements
  transposed,  // of a matrix: got[i][j] is want[j][i]
  border,  // of a matrix: only elements near an edge are wrong
  last_row,  // of a matrix: only the rows from one on are wrong
  last_column,  // of a matrix: only the columns from one on are wrong
  everything,  // every element wrong, and none of the above
  scattered,
  other_values,  // of an output in free order, or one of several right ones: elements do not belong
  nondeterministic,  // another run gives other values; set by the caller that runs twice
};
// There is no kind for stale values: a case is one call with poisoned outputs, so results of an
// earlier call cannot occur. Elements that are not written are `unwritten`; in shared memory they
// are a finding.

/// "tail", "all-zero": stable, as in grade.json.
constexpr auto names_of(PatternKind) {
  return names_up_to<PatternKind::nondeterministic>(
      "none", "unwritten", "all-zero", "copy-of-input", "first-element-only", "last-element-only",
      "tail", "first-bytes-only", "first-block-only", "head", "shifted", "scaled", "wrong-sign",
      "block-multiples", "periodic", "transposed", "border", "last-row", "last-column",
      "everything", "scattered", "other-values", "nondeterministic");
}
/// Every slug but "none".
[[nodiscard]] std::vector<std::string> pattern_names();

struct Pattern {
  PatternKind kind = PatternKind::none;
  std::string detail;  // for the student, whole sentences; empty for none
  std::uint64_t first = 0;  // first wrong index
  std::uint64_t last = 0;  // last wrong index
  std::int64_t step = 0;  // the shift or the period, if the kind has one
  std::uint64_t wrong = 0;  // elements
  std::uint64_t unwritten = 0;  // of these, elements that still hold the poison
};

struct NamedArray {
  std::string_view name;
  const Array* array = nullptr;
};

/// Classifies where and how `got` is wrong; the most specific kind that holds for all of it wins.
/// @param right   per element, from matches() of compare.h
/// @param inputs  arrays of which the output may be a copy
[[nodiscard]] Pattern classify(const Array& got, const Expected& want,
                               const std::vector<bool>& right, std::span<const NamedArray> inputs);

}  // namespace warpgrade
