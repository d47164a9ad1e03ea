#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/diagnose.h"
#include "grader/record/evidence/explanation.h"
#include "grader/record/grade/grade.h"

namespace warpgrade {

/// diagnose() of a submission whose outputs may be those of another formula. A lab's formula is a
/// proof, where clues are signs: it precedes them, but not findings that say what led to the
/// outputs. A general variant says where right values are, and not why: it comes after all other
/// rules.
[[nodiscard]] Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                                 const std::vector<SourceFile>& sources,
                                 const std::optional<Explanation>& explanation);

/// What an explanation is, the strongest first.
enum class Strength : std::uint8_t {
  of_lab,  // a formula of the lab
  of_golden,  // the golden function with one place changed
  of_inputs,  // the right formula for other inputs, or one of the wrong elements only
  general,  // where right values are, or the line of a slip
};
[[nodiscard]] Strength strength_of(const Explanation& explanation);

namespace rules {

/// The explanation, if it is of this kind, and no finding in the cases that it explains can have
/// changed their results.
[[nodiscard]] std::optional<Diagnosis> explained(const Clues& clues,
                                                 const std::optional<Explanation>& explanation,
                                                 Strength strength);

}  // namespace rules

}  // namespace warpgrade
