#pragma once

#include <filesystem>
#include <string>

#include "grader/core/error.h"
#include "grader/grade_record/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What one mistake costs, in points: docs/scoring.md.
struct MistakeCost {
  double affected = 0;  // points of the cases that are wrong, or have a finding that counts
  bool timed_case_right = false;  // else formulas and time may have no points at all
  double cost = 0;  // of all items
  double all_or_nothing = 0;  // if safety and time were lost as a whole, wherever it shows
  /// The most that it may cost: each affected case its points and in proportion to them twice its
  /// share of safety and time; and what formulas and time fall short of by themselves.
  double limit = 0;
};

/// @param grade  of a submission that builds, with all cases
[[nodiscard]] MistakeCost cost_of_mistake(const Lab& lab, const Grade& grade);

/// Grades all mutants of a lab on the emulator and prints what they cost, as a table in Markdown.
/// All labs where `id` is empty.
///
/// @param into  a page whose lines between the two `lab cost` comments become the table; may be
/// empty
/// @returns passed, or not_yet when a mutant costs more than its limit
/// @throws UsageError  where the page has no such comments; LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode count_mistakes(const std::string& id, const std::filesystem::path& into);

}  // namespace warpgrade
