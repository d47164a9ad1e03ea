#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// Where the points of all hidden cases together stand before their release.
inline constexpr const char* kHiddenItem = "correctness/hidden cases";

/// What stands in place of words whose origin is not known, and may be a hidden case.
inline constexpr const char* kKeptBack = "More is shown when hidden cases are released.";

/// "5 hidden cases"
[[nodiscard]] std::string hidden_text(std::size_t count);

/// A grade as its student may see it. The terminal, pages and every export for students are made
/// from it and from nothing else.
struct StudentView {
  /// Before the release: without hidden cases, with one item for all their points, and with
  /// sentences, findings and counters that were made from what is not hidden.
  Grade grade;
  bool released = true;  // hidden cases are shown like the others, or there are none
  std::size_t hidden_cases = 0;  // that are left out
  std::vector<const warpsim::FindingInfo*> hidden_kinds = {};  // that only hidden cases showed
  std::string release = {};  // "their results are shown from ..."
  /// Names in the cases' shapes in the order of the function's parameters, as the lab has them now;
  /// who shows the view says so. Without them, and for others, they stand by name.
  std::vector<std::string> parameters = {};

  /// The item that stands for all hidden cases; null if none does.
  [[nodiscard]] const Item* hidden_item() const;
};

/// Selects by origin; no text is searched. A grade of an earlier version does not say where its
/// sentences come from: what may come from a hidden case is left out.
///
/// @param released  whether hidden cases may be shown; then nothing is left out
/// @param release   when they are, in words
[[nodiscard]] StudentView student_view(Grade grade, bool released, std::string release);

/// On a student's own machine: there is no course, and so no release.
[[nodiscard]] StudentView view_in_check(Grade grade);

}  // namespace warpgrade
