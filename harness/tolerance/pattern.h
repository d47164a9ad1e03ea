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

/// What a wrong output looks like as a whole.
enum class PatternKind : std::uint8_t {
  none,  // nothing is wrong
  unwritten,  // no element was ever written
  all_zero,
  copy_of_input,  // the output equals one of the inputs
  first_element_only,  // wrong at index 0 only
  last_element_only,
  tail,  // right up to an index, wrong from there to the end
  first_bytes_only,  // right for one byte an element: a count stood where bytes should
  first_block_only,  // right for one block's worth, wrong after it
  head,  // wrong up to an index, right after it
  shifted,  // got[i] is want[i + step]
  scaled,  // got is want times one factor
  block_multiples,  // one position of each block of `step` elements
  periodic,  // the same positions are wrong in every group of `step` elements
  transposed,  // of a matrix: got[i][j] is want[j][i]
  border,  // of a matrix: only elements near an edge are wrong
  last_row,  // of a matrix: only the rows from one on are wrong
  last_column,  // of a matrix: only the columns from one on are wrong
  everything,  // every element wrong, and none of the above
  scattered,
  nondeterministic,  // another run gives something else: no recogniser's, who runs twice says so
};
// There is no kind for stale values: a case is one call on poisoned outputs, so what an earlier
// call left cannot be seen. What was not written here is `unwritten`, in shared memory a finding.

/// "tail", "all-zero": stable, as in grade.json.
constexpr auto names_of(PatternKind) {
  return names_up_to<PatternKind::nondeterministic>(
      "none", "unwritten", "all-zero", "copy-of-input", "first-element-only", "last-element-only",
      "tail", "first-bytes-only", "first-block-only", "head", "shifted", "scaled",
      "block-multiples", "periodic", "transposed", "border", "last-row", "last-column",
      "everything", "scattered", "nondeterministic");
}
/// Every slug but "none".
[[nodiscard]] std::vector<std::string> pattern_names();

struct Pattern {
  PatternKind kind = PatternKind::none;
  std::string detail;  // for the student, whole sentences; empty for none
  std::uint64_t first = 0;  // first wrong index
  std::uint64_t last = 0;  // last wrong index
  std::int64_t step = 0;  // the shift or the period, where the kind has one
  std::uint64_t wrong = 0;  // elements
  std::uint64_t unwritten = 0;  // of them, those that still hold the poison
};

struct NamedArray {
  std::string_view name;
  const Array* array = nullptr;
};

/// Classifies where and how `got` is wrong; the most specific kind that holds for all of it wins.
/// @param right   of each element, as matches() of compare.h says it
/// @param inputs  arrays that the output may turn out to be a copy of
[[nodiscard]] Pattern classify(const Array& got, const Expected& want,
                               const std::vector<bool>& right, std::span<const NamedArray> inputs);

}  // namespace warpgrade
