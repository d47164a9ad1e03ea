#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpgrade {

/// A text in UTF-8 without a byte order mark.
struct DecodedText {
  std::string text;
  std::string from;  // the encoding it was in: "UTF-16", "UTF-32", "Windows-1252"; empty: UTF-8
};

/// Reads the text of a file in UTF-8 or UTF-16, with or without a byte order mark, in UTF-32 with
/// one, or else in Windows-1252, the encoding of western Windows and a superset of printable
/// Latin-1.
/// @returns nothing if it is text in none of these
[[nodiscard]] std::optional<DecodedText> decode_text(std::string_view bytes);

/// A name with composed letters (NFC): macOS gives out names in which a letter and its marks are
/// separate characters. Text that is not UTF-8 is returned unchanged.
[[nodiscard]] std::string composed_name(std::string_view name);
/// The same, without case, for comparison.
[[nodiscard]] std::string folded_name(std::string_view name);

/// Text in UTF-8 with U+FFFD in place of each byte that is not, and of each NUL: what databases
/// take as text.
[[nodiscard]] std::string as_utf8(std::string_view bytes);

}  // namespace warpgrade
