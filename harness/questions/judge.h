#pragma once

#include <string>

#include "harness/lab/question.h"
#include "harness/questions/answer_sheet.h"

namespace warpgrade {

/// What an answer earns, and what its author is told: whether it is right and what is wrong with
/// its form, but nothing about the right answer.
struct AnswerVerdict {
  double share = 0;  // of the points, 0 to 1
  std::string message = {};  // one or two sentences

  [[nodiscard]] bool is_right() const { return share >= 1; }
};

/// Judges an answer to a question with a key, of any kind but counter.
/// @param given  not blank
/// @throws LabError  if the key's own formula cannot be evaluated
[[nodiscard]] AnswerVerdict judge_answer(const LabQuestion& question, const Draw& draw,
                                         const GivenAnswer& given);

/// Judges a predicted counter.
/// @param measured  on the student's program
[[nodiscard]] AnswerVerdict judge_prediction(const LabQuestion& question, const GivenAnswer& given,
                                             double measured);

/// The right answer as text, for staff: "4 blocks", "b", "a, c", "2 * n"; empty for counter
/// questions.
[[nodiscard]] std::string right_answer(const LabQuestion& question, const Draw& draw);

/// The worked solution with its numbers; empty if there is none.
[[nodiscard]] std::string worked_solution(const LabQuestion& question, const Draw& draw);

/// What an answer to this question looks like, for the sheet and for messages: "a number, in
/// blocks".
[[nodiscard]] std::string answer_form(const LabQuestion& question);

}  // namespace warpgrade
