#pragma once

#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace warpgrade {

/// What a claim's pattern has found in a sentence: its numbers and words, in order.
struct Claim {
  std::string text;  // as it stands in the sentence
  std::vector<std::string> parts;  // of the pattern's groups

  /// A part as a number; 0 if it is none, or too large.
  [[nodiscard]] std::uint64_t number(std::size_t part) const;
};

/// All claims of a form in a sentence.
[[nodiscard]] std::vector<Claim> claims_in(const std::string& sentence, const std::regex& form);

}  // namespace warpgrade
