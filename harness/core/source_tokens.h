#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A token of a C++ source, with its place.
struct SourceToken {
  enum class Kind : std::uint8_t { name, number, character, text, sign };

  Kind kind = Kind::sign;
  std::string_view text;  // a view into the source
  std::size_t begin = 0;  // in bytes
  std::uint32_t line = 0;  // from 1

  [[nodiscard]] bool is(std::string_view word) const { return text == word; }
  [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};

/// Comments, white space and lines of the preprocessor are between tokens. Accepts anything: what
/// is no C++ gives tokens of some kind.
///
/// @param source  has to stay as long as the tokens
[[nodiscard]] std::vector<SourceToken> tokens_of(std::string_view source);

/// The token that closes what token `open` opens: (, [ or {. The number of tokens if there is none.
[[nodiscard]] std::size_t closing(const std::vector<SourceToken>& tokens, std::size_t open);

}  // namespace warpgrade
