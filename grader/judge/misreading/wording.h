#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpgrade {

/// The facts of the sentence about an explanation.
struct ExplanationFacts {
  std::string says;  // Variant::says
  std::size_t explained = 0;  // cases
  std::size_t compared = 0;  // of these, wrong ones that were compared
  std::size_t failing = 0;  // all that fail
  std::uint64_t other_elements =
      0;  // of the explained cases, elements that the variant does not give
  std::string output = {};  // if only one is explained
  std::size_t failing_in_all = 0;  // if `failing` are those in which this output is wrong
  std::uint64_t unwritten = 0;  // elements that were left aside
  bool where_wrong = false;  // the variant would also change elements that are right
  bool right_cases = false;  // and cases that are right
  std::size_t agreeing = 0;  // right cases that it gives, too, if these are to be mentioned
};

/// "Your output is exactly the right one for a mask shifted one column to the left, in all 11
/// failing cases."
[[nodiscard]] std::string sentence(const ExplanationFacts& facts);

}  // namespace warpgrade
