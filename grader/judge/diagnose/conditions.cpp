#include "grader/judge/diagnose/conditions.h"

#include <algorithm>
#include <map>
#include <regex>
#include <string_view>

#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

bool has_text(std::string_view line) {
  return line.find_first_not_of(" \t\r") != std::string_view::npos;
}

/// Where the kernel or device function with this line begins.
std::size_t head_of(const std::vector<std::string>& code, std::size_t line) {
  for (std::size_t i = line; i > 0; --i) {
    if (has_word(code[i - 1], "__global__") || has_word(code[i - 1], "__device__")) {
      return i - 1;
    }
  }
  return 0;
}

}  // namespace

Conditions conditions_of(const std::vector<std::string>& code, std::uint32_t line) {
  Conditions found;
  if (line == 0 || line > code.size()) {
    return found;
  }
  std::vector<std::string> open;  // the text before each open brace
  std::string text;  // of the statement so far
  std::string pending;  // an `if` without braces, whose statement follows
  const auto add_return = [&] {
    if (!pending.empty()) {
      found.returns.push_back(pending);
    } else if (!open.empty() && has_word(open.back(), "if")) {
      found.returns.push_back(open.back());
    }
  };
  for (std::size_t i = head_of(code, line); i < line; ++i) {
    const bool last = i + 1 == line;
    found.lines.push_back(code[i]);
    if (last && !pending.empty()) {
      found.own.push_back(pending);
    }
    if (last && (has_word(code[i], "if") || code[i].find('?') != std::string::npos)) {
      found.own.push_back(code[i]);
    }
    int parentheses = 0;
    for (const char c : code[i]) {
      parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (c == '{') {
        open.push_back(text);
        text.clear();
        pending.clear();
      } else if (c == '}') {
        if (!open.empty()) open.pop_back();
        text.clear();
      } else if (c == ';' && parentheses <= 0) {
        if (has_word(text, "return")) {
          if (pending.empty() && has_word(text, "if")) pending = text;
          add_return();
        }
        pending.clear();
        text.clear();
      } else {
        text += c;
      }
    }
    const bool complete =
        std::count(text.begin(), text.end(), '(') == std::count(text.begin(), text.end(), ')');
    if (!last && has_text(text) && complete && has_word(text, "if")) {
      pending = text;
      text.clear();
    }
  }
  for (const std::string& header : open) {
    if (has_word(header, "if")) found.around.push_back(header);
  }
  return found;
}

std::optional<OtherExtent> index_with_other_extent(const Conditions& conditions) {
  static const std::regex comparison(
      R"(\b([A-Za-z_]\w*)\s*(?:<|>=)\s*([A-Za-z_]\w*)\b(?!\s*[-+*/(\[.]))");
  static const std::regex index(
      R"((?:^|[^\w*/ ])\s*([A-Za-z_]\w*)\s*\*\s*([A-Za-z_]\w*)\s*\+\s*([A-Za-z_]\w*)\b(?!\s*[*/(\[.]))");
  std::map<std::string, std::string> extents;  // by variable
  for (const auto* texts : {&conditions.own, &conditions.around, &conditions.returns}) {
    for (const std::string& text : *texts) {
      if (text.size() > kLongestLine) continue;
      for (std::sregex_iterator it(text.begin(), text.end(), comparison), end; it != end; ++it) {
        extents[it->str(1)] = it->str(2);
      }
    }
  }
  for (const std::string& text : conditions.lines) {
    if (text.size() > kLongestLine) continue;
    for (std::sregex_iterator it(text.begin(), text.end(), index), end; it != end; ++it) {
      const auto row = extents.find(it->str(1));
      const auto column = extents.find(it->str(3));
      if (row != extents.end() && column != extents.end() && row->second == it->str(2) &&
          column->second != it->str(2)) {
        return OtherExtent{.index = it->str(1) + " * " + it->str(2) + " + " + it->str(3),
                           .extent = it->str(2)};
      }
    }
  }
  return std::nullopt;
}

bool has_difference(const Conditions& conditions) {
  static const std::regex difference(R"([\w)\]]\s*-\s*[\w(])");
  return std::ranges::any_of(conditions.lines, [](const std::string& line) {
    return line.size() <= kLongestLine && std::regex_search(line, difference);
  });
}

}  // namespace warpgrade
