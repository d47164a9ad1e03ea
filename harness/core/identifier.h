#pragma once

#include <string_view>

namespace warpgrade {

/// Whether a character can be in a name of C++: a letter, a digit or '_'.
[[nodiscard]] bool is_in_name(char c);

/// Whether a text is one name of C++.
[[nodiscard]] bool is_name(std::string_view text);

/// Whether a text has a word, and not only as a part of another one.
[[nodiscard]] bool has_word(std::string_view text, std::string_view word);

}  // namespace warpgrade
