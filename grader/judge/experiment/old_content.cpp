#include "grader/judge/experiment/old_content.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/data/poison.h"

namespace warpgrade {

bool is_on_top_of_poison(const MismatchedElement& element) {
  constexpr double kWraps = 4294967296.0;  // 2^32
  constexpr auto kGarbage = static_cast<std::uint32_t>(poison_bits(ElementType::i32));
  if (std::isnan(element.got)) {
    return std::isfinite(element.want);  // the poison of floats is a NaN
  }
  const double more = std::fmod(element.got - element.want, kWraps);
  return (more < 0 ? more + kWraps : more) == kGarbage;
}

bool may_add_to_old_output(const CaseOutcome& outcome) {
  const CaseReport& report = outcome.report;
  return report.verdict == CaseVerdict::wrong && !report.first_mismatches.empty() &&
         outcome.unwritten_elements < report.wrong_elements &&
         std::all_of(report.first_mismatches.begin(), report.first_mismatches.end(),
                     is_on_top_of_poison);
}

}  // namespace warpgrade
