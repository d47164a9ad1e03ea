#pragma once

#include <string>

#include "grader/record/grade/student_view.h"

namespace warpgrade {

struct TerminalStyle {
  std::size_t columns = 80;
  bool color = false;
};

/// Colour for a terminal, unless NO_COLOR is set or TERM is "dumb".
[[nodiscard]] TerminalStyle style_of_stdout();

/// The feedback that `warpgrade check` prints: points by category, failed cases with their first
/// wrong elements, findings, and what to do first.
[[nodiscard]] std::string terminal_feedback(const StudentView& shown, const TerminalStyle& style);

}  // namespace warpgrade
