#include "harness/golden/golden.h"

#include <string_view>

WARPGRADE_GOLDEN(call) {
  const auto text = call.input<char>("text");
  const auto hashes = call.integers("hashes");
  const auto vowels = call.integers("vowels");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto next = static_cast<std::uint64_t>(text[i] + 1);
    hashes[i] = static_cast<std::int64_t>(next * 0x9e3779b97f4a7c15U);
    vowels[i] = std::string_view("aeiou").find(text[i]) == std::string_view::npos ? 0 : 1;
  }
}
