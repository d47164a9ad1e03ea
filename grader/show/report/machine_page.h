#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// The section of docs/machine.md that introduces a word: where it is bold, in the table of words
/// of a report, or in a heading. Case and plural do not matter.
/// @param page  the page's markdown
/// @returns the section's markdown with its heading; empty if the page does not introduce the word
[[nodiscard]] std::string machine_section(std::string_view page, std::string_view word);

}  // namespace warpgrade
