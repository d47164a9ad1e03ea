#pragma once

#include <cstddef>
#include <string>

#include "grader/grade/grade.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Where the points of all hidden cases together stand before their release.
inline constexpr const char* kHiddenItem = "correctness/hidden cases";

/// What stands for the name of a hidden case.
inline constexpr const char* kSomeCase = "a hidden case";

/// A grade as its student may see it; pages and the terminal show nothing else.
struct ShownGrade {
  Grade grade;  // before the release: without hidden cases, and with one item for all their points
  std::size_t hidden_cases = 0;  // that are left out
  std::size_t hidden_findings = 0;  // left out: seen in hidden cases only
  std::string release;  // "their results are shown from ..."
};

/// Before the release, takes out of a grade what hidden cases say: names, sizes, verdicts, hints,
/// elements, and findings that no other case has. What was counted in the performance case stays,
/// hidden or not, without the case's name: a page is there to learn from it.
///
/// @param lab       tells which cases are hidden where nothing was run; without it all are taken to
///                  be
/// @param released  whether hidden cases may be shown; then nothing is taken out
/// @param release   when they are, in words
[[nodiscard]] ShownGrade shown_to_student(Grade grade, const Lab* lab, bool released,
                                          std::string release);

/// On a student's own machine: there is no course, and so no release.
[[nodiscard]] ShownGrade shown_in_check(Grade grade, const Lab& lab);

}  // namespace warpgrade
