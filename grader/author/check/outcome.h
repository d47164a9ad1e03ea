#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "grader/author/check/cheap_answers.h"
#include "grader/author/check/lab_program.h"
#include "grader/record/evidence/reference_cost.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// What `lab check` found out about a lab.
struct LabOutcome {
  std::vector<std::string> problems;  // of the lab as a whole
  std::vector<LabProgram> programs;  // with their own problems
  std::optional<CheapCount> cheap;  // nothing: not tried
  std::optional<std::size_t> misreadings;  // nothing: not checked
  std::size_t variants = 0;  // of the golden function
  std::string no_variants = {};  // why there are none
  std::size_t sheets = 0;  // of answers to the questions that were tried
  std::size_t for_nvcc = 0;  // programs that clang cannot compile, and that are left out with it
  /// Programs that are not recorded as they are, stub and solution included; nothing where all
  /// were run.
  std::optional<std::size_t> changed;
  double seconds = 0;

  /// Whether every requirement is met.
  [[nodiscard]] bool holds() const;
};

/// Prints the table of a lab, and a line per problem.
/// @param ladder  what ladder.json says of the stages
void print_outcome(const Lab& lab, const std::vector<RungCost>& ladder, const LabOutcome& outcome);

}  // namespace warpgrade
