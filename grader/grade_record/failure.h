#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grader/grade_record/grade.h"

namespace warpgrade {

/// How far a submission came towards a program.
enum class BuildStep : std::uint8_t {
  not_handed_in,
  does_not_compile,
  does_not_link,
  not_allowed,
  built,
};

/// The one kind of failure that a grade stands for: of all that went wrong the one that explains
/// the others, in the order of Failure. The only place that decides it.
///
/// @param grade  items, cases and findings filled in
/// @param build  how far the submission came
[[nodiscard]] Failure failure_of(const Grade& grade, BuildStep build);

/// Whether the fault is the grader's or this machine's: such a grade has no score, is tried a
/// second time, and is graded again by the next run.
[[nodiscard]] bool is_ours(Failure failure);

/// For people: "compile error", "too slow".
[[nodiscard]] std::string_view words(Failure failure);

}  // namespace warpgrade
