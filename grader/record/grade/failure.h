#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "grader/record/grade/grade.h"

namespace warpgrade {

/// How far the build of a submission got.
enum class BuildStep : std::uint8_t {
  not_handed_in,
  does_not_compile,
  does_not_link,
  not_allowed,
  built,
};

/// The kind of failure of a grade: of everything that went wrong, what explains the rest, in the
/// order of Failure. Decided here only.
///
/// @param grade  items, cases and findings filled in
/// @param build  how far the build got
[[nodiscard]] Failure failure_of(const Grade& grade, BuildStep build);

/// Whether the grader or this machine failed: such a submission gets no score, is tried a second
/// time, and is graded again by the next run.
[[nodiscard]] bool is_ours(Failure failure);

/// As shown to users: "compile error", "too slow".
[[nodiscard]] std::string_view words(Failure failure);

}  // namespace warpgrade
