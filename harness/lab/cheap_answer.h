#pragma once

#include <cstdint>
#include <string>

#include "harness/core/names.h"

namespace warpgrade {

/// Outputs that little or no work makes, and that no case may take for right: grader/author/check
/// makes them from the expected outputs or, the last ones, as those of other inputs.
enum class CheapAnswer : std::uint8_t {
  zeros,
  ones,
  first_value,  // the first expected element everywhere
  mean,  // of the expected elements, everywhere
  copy_of_input,
  first_half,  // the first half of the elements, then zeros
  every_second,  // every second element, the others zero
  every_second_held,  // every second element, the others equal to the one before
  half_precision,  // rounded to 11 bits
  scaled_input,  // of one input times two
  shifted_input,  // of one input moved on by one element
  reversed_input,  // of one input in reverse order
  sampled_input,  // of one input whose odd elements equal the one before
  mean_input,  // of one input that has its mean everywhere
};
constexpr auto names_of(CheapAnswer) {
  return names_up_to<CheapAnswer::mean_input>(
      "zeros", "ones", "first-value", "mean", "copy-of-input", "first-half", "every-second",
      "every-second-held", "half-precision", "scaled-input", "shifted-input", "reversed-input",
      "sampled-input", "mean-input");
}

/// A cheap answer that passes a case, which cannot be helped.
struct AnswerWaiver {
  CheapAnswer answer = CheapAnswer::zeros;
  std::string on;  // the case
  std::string reason;  // a sentence, for staff
};

}  // namespace warpgrade
