#include "harness/lab/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace warpgrade {

namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

/// Copies `text`, with each {name} given to `visit`, whose result replaces it.
std::string replace_names(std::string_view text,
                          const std::function<std::string(std::string_view)>& visit) {
  std::string result;
  while (!text.empty()) {
    const std::size_t close = text.front() == '{' ? text.find('}') : std::string_view::npos;
    if (close != std::string_view::npos && is_name(text.substr(1, close - 1))) {
      result += visit(text.substr(1, close - 1));
      text.remove_prefix(close + 1);
    } else {
      result += text.front();
      text.remove_prefix(1);
    }
  }
  return result;
}

}  // namespace

std::string with_numbers(std::string_view text, const Draw& draw) {
  return replace_names(text, [&](std::string_view name) {
    const auto it = draw.find(std::string(name));
    return it == draw.end() ? fmt::format("{{{}}}", name) : number_text(it->second);
  });
}

std::vector<std::string> names_in_braces(std::string_view text) {
  std::vector<std::string> names;
  (void)replace_names(text, [&](std::string_view name) {
    names.emplace_back(name);
    return std::string();
  });
  return names;
}

std::string number_text(double value) {
  return fmt::format("{:.12g}", value);
}

}  // namespace warpgrade
