#pragma once

#include <string>
#include <string_view>

#include "grader/report/terminal.h"

namespace warpgrade {

/// A documentation page for a terminal: headings and what is strong stand out where there is
/// colour, code blocks keep their lines, all else is wrapped. Links are their text.
[[nodiscard]] std::string terminal_of_markdown(std::string_view markdown,
                                               const TerminalStyle& style);

}  // namespace warpgrade
