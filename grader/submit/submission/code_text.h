#pragma once

#include <set>
#include <string>
#include <string_view>

namespace warpgrade {

/// Whether a text without comments contains "name ( ... ) {", with no braces, semicolons or other
/// parentheses in between: a definition, not a declaration or a call.
[[nodiscard]] bool defines_function(std::string_view text, std::string_view name);

/// The functions that a text without comments declares and uses, and does not define.
[[nodiscard]] std::set<std::string> missing_functions(std::string_view text);

}  // namespace warpgrade
