#pragma once

#include <string>
#include <vector>

#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// The outcome of checking a lab's questions.
struct QuestionCheck {
  std::size_t tried = 0;  // sheets of answers
  std::vector<std::string> problems;
};

/// Answers the questions with their right and partial answers, for everybody's numbers and for
/// several students' own: right ones must have all points, partial ones their share, and the sheet
/// that students start with none. Questions about counters are checked with the solution's grade.
[[nodiscard]] QuestionCheck check_questions(const Lab& lab);

/// Whether the counters that questions ask for exist in the solution's runs.
/// @param solution  graded with any answer to these questions
[[nodiscard]] std::vector<std::string> check_predictions(const Lab& lab, const Grade& solution);

/// An answers.toml with some answer to each question about a counter.
[[nodiscard]] std::string any_predictions(const Lab& lab);

}  // namespace warpgrade
