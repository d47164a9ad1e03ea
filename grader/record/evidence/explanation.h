#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "emulator/record/fields.h"

namespace warpgrade {

/// A wrong formula that gives the outputs of the failing cases, up to rounding.
struct Explanation {
  std::string variant;  // id of the formula: "mask-left"
  /// Of the lab's misreadings.cpp, a formula; otherwise where right values are: shifted, left out.
  bool of_lab = false;
  /// The right formula for other inputs, or a formula that gives only the elements that are wrong.
  bool of_inputs = false;
  /// The golden function with one place changed, by its source.
  bool of_golden = false;
  /// Gives only the elements that are wrong, and would change others, too.
  bool where_wrong = false;
  std::string pitfall;  // may be empty
  std::string message;  // what the outputs are, one sentence
  std::vector<std::string> cases;  // whose outputs it gives
  std::size_t compared = 0;  // failing cases whose outputs were compared with it
  std::size_t failing = 0;  // all failing cases, including those too large to compare
  /// Cases that one edit of a line makes right, if the message ends with that; else 0.
  std::size_t slip_cases = 0;
  /// That edit is one of the structure: a statement that is moved, another order of a loop. Some
  /// make a mistake harmless instead of undoing it.
  bool of_structure = false;
  bool from_hidden = false;  // from hidden cases: not shown to students before the release
};
WARPGRADE_FIELDS(Explanation, variant, of_lab, of_inputs, of_golden, where_wrong, pitfall, message,
                 cases, compared, failing, slip_cases, of_structure, from_hidden)

/// Whether it is the line of a slip that makes all cases right, or ends with it.
[[nodiscard]] inline bool is_whole_slip(const Explanation& explanation) {
  return explanation.slip_cases > 0 && explanation.slip_cases >= explanation.failing;
}

}  // namespace warpgrade
