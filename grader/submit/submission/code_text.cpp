#include "grader/submit/submission/code_text.h"

#include <algorithm>
#include <array>
#include <map>

#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

constexpr std::string_view kWhitespace = " \t\r\n";

/// The last character before a place that is not a space; 0 if there is none.
char before(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(kWhitespace);
  return last == std::string_view::npos ? '\0' : text[last];
}

/// The word that ends before a place; empty if something else does.
std::string_view word_before(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(kWhitespace);
  if (last == std::string_view::npos || !is_in_name(text[last])) return {};
  std::size_t first = last;
  while (first > 0 && is_in_name(text[first - 1])) --first;
  return text.substr(first, last + 1 - first);
}

/// What stands after the parentheses that a name is followed by: ';' after a declaration or a call,
/// '{' after a definition; 0 if there are none, or others in them.
char after_parentheses(std::string_view text, std::size_t open) {
  const std::size_t close = text.find_first_of("();{}", open + 1);
  if (close == std::string_view::npos || text[close] != ')') return '\0';
  const std::size_t next = text.find_first_not_of(kWhitespace, close + 1);
  return next == std::string_view::npos ? '\0' : text[next];
}

/// Whether what stands before a name is its type.
bool is_typed(std::string_view text, std::size_t name) {
  static constexpr std::array<std::string_view, 8> kOthers = {
      "return", "else", "do", "new", "throw", "case", "co_return", "goto"};
  if (const char c = before(text, name); c == '*' || c == '&' || c == '>') return true;
  const std::string_view word = word_before(text, name);
  return !word.empty() && std::find(kOthers.begin(), kOthers.end(), word) == kOthers.end();
}

}  // namespace

bool defines_function(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t open = text.find_first_not_of(kWhitespace, at + name.size());
    const bool is_whole = at == 0 || !is_in_name(text[at - 1]);
    if (is_whole && open != text.npos && text[open] == '(' &&
        after_parentheses(text, open) == '{') {
      return true;
    }
  }
  return false;
}

std::set<std::string> missing_functions(std::string_view text) {
  struct Seen {
    bool declared = false, used = false, defined = false;
  };
  std::map<std::string_view, Seen> functions;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_in_name(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_in_name(text[end])) ++end;
    const std::size_t next = text.find_first_not_of(kWhitespace, end);
    if (next != text.npos && text[next] == '(') {
      Seen& seen = functions[text.substr(at, end - at)];
      const char after = after_parentheses(text, next);
      const bool is_declared = after == ';' && is_typed(text, at);
      seen.defined = seen.defined || after == '{';
      seen.declared = seen.declared || is_declared;
      seen.used = seen.used || (!is_declared && after != '{');
    } else if (next != text.npos && text.substr(next).starts_with("<<<")) {
      functions[text.substr(at, end - at)].used = true;
    }
    at = end;
  }
  std::set<std::string> missing;
  for (const auto& [name, seen] : functions) {
    if (seen.declared && seen.used && !seen.defined) missing.emplace(name);
  }
  return missing;
}

}  // namespace warpgrade
