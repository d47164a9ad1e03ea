#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/case_data.h"
#include "harness/core/names.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Submissions that solve nothing.
enum class TrivialKind : std::uint8_t {
  nothing,  // does nothing at all
  zeros,  // sets every output to zero
  copy,  // copies the first input of the output's type, up to its end
  first_element,  // the same, for one element
};

struct TrivialProgram {
  TrivialKind kind = TrivialKind::nothing;
  std::string text;  // the source; empty if there is none
  std::string problem;  // why not
};

constexpr auto names_of(TrivialKind) {
  return names_up_to<TrivialKind::first_element>("nothing", "zeros", "copy-of-input",
                                                 "first-element");
}

/// The trivial programs that are possible for a lab's signature.
[[nodiscard]] std::vector<TrivialProgram> trivial_programs(const Lab& lab);

/// Whether the trivial program's output is exactly the case's expected output, so that passing is
/// not a defect of the lab: an empty sum is zero, and the sum of one element is that element.
[[nodiscard]] bool is_right_answer(TrivialKind kind, const CaseData& data);

}  // namespace warpgrade
