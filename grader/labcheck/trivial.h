#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/case/case_data.h"
#include "harness/core/names.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What somebody could hand in who has understood nothing.
enum class TrivialKind : std::uint8_t {
  nothing,  // does nothing at all
  zeros,  // sets every output to zero
  copy,  // copies the first input of the output's type, as far as it goes
  first_element,  // the same, for one element
};

struct TrivialProgram {
  TrivialKind kind = TrivialKind::nothing;
  std::string text;  // a submission; empty if it cannot be made
  std::string problem;  // why not
};

constexpr auto names_of(TrivialKind) {
  return names_up_to<TrivialKind::first_element>("nothing", "zeros", "copy-of-input",
                                                 "first-element");
}

/// These programs for a lab, made from its signature alone: those that make sense for it.
[[nodiscard]] std::vector<TrivialProgram> trivial_programs(const Lab& lab);

/// Whether what such a program leaves is exactly what the case asks for, so that passing it proves
/// nothing against the lab: sums of nothing are zero, and the sum of one element is that element.
[[nodiscard]] bool is_right_answer(TrivialKind kind, const CaseData& data);

}  // namespace warpgrade
