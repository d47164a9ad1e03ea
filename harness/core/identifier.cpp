#include "harness/core/identifier.h"

#include <algorithm>
#include <cctype>

namespace warpgrade {

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, is_in_name);
}

bool has_word(std::string_view text, std::string_view word) {
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    const bool begins = at == 0 || !is_in_name(text[at - 1]);
    if (begins && (end == text.size() || !is_in_name(text[end]))) return true;
  }
  return false;
}

}  // namespace warpgrade
