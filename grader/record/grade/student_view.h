#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// The item with the points of all hidden cases, before their release.
inline constexpr const char* kHiddenItem = "correctness/hidden cases";

/// Replaces texts that may come from a hidden case because their origin is unknown.
inline constexpr const char* kShownAtRelease = "More is shown when hidden cases are released.";

/// "5 hidden cases"
[[nodiscard]] std::string hidden_text(std::size_t count);

/// A grade as its student may see it. The terminal, pages and every export for students are made
/// from it alone.
struct StudentView {
  /// Before the release: without hidden cases, with one item for all their points, and with
  /// sentences, findings and counters made without them.
  Grade grade;
  bool released = true;  // hidden cases are shown like the others, or there are none
  std::size_t hidden_cases = 0;  // that are left out
  std::vector<const warpsim::FindingInfo*> hidden_kinds = {};  // found in hidden cases only
  std::string release = {};  // "their results are shown from ..."
  /// The names in the cases' shapes, in the order of the function's parameters in the current lab;
  /// set by the caller. Other names, or all if this is empty, are in alphabetical order.
  std::vector<std::string> parameters = {};
  /// Where the submission's files are, from the current directory, as the student named it: comes
  /// before file names in lines for editors. Set by the caller; empty if they are not on this
  /// machine or in an archive.
  std::string folder = {};

  /// The item for all hidden cases; null if there is none.
  [[nodiscard]] const Item* hidden_item() const;
};

/// Selects by origin; no text is searched. A grade of an earlier version does not record the origin
/// of its sentences; those that may come from a hidden case are left out.
///
/// @param released  whether hidden cases may be shown; then nothing is left out
/// @param release   when they may be, in words
/// @param answers   whether right answers and solutions of questions may be shown, too
[[nodiscard]] StudentView student_view(Grade grade, bool released, std::string release,
                                       bool answers = false);

/// Removes the right answers to questions, and their solutions.
void remove_answers(Grade& grade);

/// For `warpgrade check`: there is no course, and so no release.
[[nodiscard]] StudentView view_in_check(Grade grade);

}  // namespace warpgrade
