#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/record/evidence/evidence.h"
#include "grader/record/grade/grade.h"
#include "harness/lab/lab.h"
#include "harness/questions/draw.h"

namespace warpgrade {

/// The answers that came with a submission.
struct SubmittedAnswers {
  std::optional<SourceFile> file = std::nullopt;  // answers.toml
  std::string problem = {};  // why it cannot be read, one sentence; empty if it can, or is missing
  /// Whose numbers the questions have; nothing: those that the file itself names, as in
  /// `warpgrade check`, where the student is not known.
  std::optional<DrawKey> key = DrawKey{};
};

/// The public id of a course, from which its students' numbers are drawn: made from its secret,
/// which it does not reveal. Empty without a secret.
[[nodiscard]] std::string public_draw_id(const std::string& secret);

/// One item per question. Messages say what is right, and nothing about right answers; those are in
/// `question` of each item, for staff.
///
/// @param evidence  of the submission's program, for questions about counters; empty without one
[[nodiscard]] std::vector<Item> score_questions(const Lab& lab, const SubmittedAnswers& answers,
                                                const Evidence& evidence);

/// For review by staff: answers that were written for another student.
[[nodiscard]] std::vector<IntegrityFlag> flag_answers(const Lab& lab,
                                                      const SubmittedAnswers& answers);

/// Keys of the file that are not questions of the lab, one sentence each.
[[nodiscard]] std::vector<std::string> unknown_answers(const Lab& lab,
                                                       const SubmittedAnswers& answers);

/// The first thing to do if only questions are left, one sentence; empty if there are none.
[[nodiscard]] std::string next_question(const std::vector<Item>& items);

/// answers.toml as a student gets it: the questions as comments, and a line for each answer.
[[nodiscard]] std::string answers_template(const Lab& lab, const DrawKey& key);

/// The questions with one student's numbers, right answers and solutions, for staff.
[[nodiscard]] std::string answered_questions(const Lab& lab, const DrawKey& key);

}  // namespace warpgrade
