#pragma once

#include <filesystem>
#include <string>

#include "grader/core/error.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The cost of one mistake, in points; see docs/scoring.md.
struct MistakeCost {
  double affected = 0;  // points of the cases that are wrong or have a finding that counts
  bool timed_case_right = false;  // if not, formulas and time may get no points at all
  double cost = 0;  // of all items
  double all_or_nothing = 0;  // if safety and time were lost entirely
  /// The most that it may cost: the points of each affected case, twice their share of the points
  /// for safety and time, and what formulas and time lose by themselves.
  double limit = 0;
};

/// @param grade  of a submission that builds, with all cases
[[nodiscard]] MistakeCost cost_of_mistake(const Lab& lab, const Grade& grade);

/// Grades all mutants of a lab on the emulator and prints what they cost, as a table in Markdown.
/// All labs if `id` is empty.
///
/// @param evidence  folder of kept evidence, as in HeadlinesRequest; empty: none is kept
/// @param into  a page in which the lines between the two `lab cost` comments are replaced by the
/// table; may be empty
/// @returns passed, or not_yet if a mutant costs more than its limit
/// @throws UsageError  if the page has no such comments; LabError, EnvironmentError, Interrupted
[[nodiscard]] ExitCode count_mistakes(const std::string& id, const std::filesystem::path& evidence,
                                      const std::filesystem::path& into);

}  // namespace warpgrade
