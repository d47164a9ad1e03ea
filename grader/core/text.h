#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// Makes text from a student safe to show: invalid UTF-8 becomes U+FFFD; control characters except
/// newline and tab, and Unicode characters that reorder text, become visible escapes.
[[nodiscard]] std::string printable(std::string_view bytes);

/// The same for text that must stay on one line, such as a name in a table: newlines, tabs and
/// zero-width characters become escapes, too.
[[nodiscard]] std::string one_line(std::string_view bytes);
/// Whether text is what one_line() leaves as it is.
[[nodiscard]] bool is_one_line(std::string_view bytes);

/// A phrase with a capital letter and a full stop.
[[nodiscard]] std::string as_sentence(std::string phrase);

/// As the text of an HTML or XML element, or of an attribute in double quotes.
[[nodiscard]] std::string escaped_html(std::string_view text);

/// Splits at newlines; the last line needs none. "\r\n" counts as one. The lines live as long as
/// `text`.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
/// Deleted for a temporary string: the lines would dangle.
template <std::same_as<std::string> Text>
std::vector<std::string_view> split_lines(Text&& text) = delete;

/// Without the `spaces` at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text, std::string_view spaces = " \t");

/// With ASCII's capitals as small letters.
[[nodiscard]] std::string lower(std::string_view text);

/// Breaks text into lines of at most `columns` code points at spaces; a longer word stays whole.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// "512 bytes", "1.5 KiB", "50.0 MiB".
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);

/// Points without trailing zeros: 10, 7.5, 3.33.
[[nodiscard]] std::string human_points(double points);

/// Replaces every occurrence of `from` (not empty) by `to`.
[[nodiscard]] std::string replace_all(std::string_view text, std::string_view from,
                                      std::string_view to);

/// "a, b and c".
[[nodiscard]] std::string join_and(const std::vector<std::string>& words);

}  // namespace warpgrade
