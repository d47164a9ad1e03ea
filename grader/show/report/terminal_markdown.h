#pragma once

#include <string>
#include <string_view>

#include "grader/show/report/terminal.h"

namespace warpgrade {

/// A documentation page for a terminal: headings and strong text are highlighted if there is
/// colour, code blocks keep their lines, everything else is wrapped. Links become their text.
[[nodiscard]] std::string terminal_of_markdown(std::string_view markdown,
                                               const TerminalStyle& style);

}  // namespace warpgrade
