#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "emulator/ptx/module.h"

namespace warpsim::ptx {
namespace {

constexpr std::size_t kMaxLine = 160;  // characters of the source line that are shown
constexpr std::size_t kBefore = 60;  // of them before the caret, in a longer line

std::string_view line_at(std::string_view text, std::uint32_t line) {
  for (std::uint32_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view found = text.substr(0, text.find('\n'));
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

/// Replaces control characters and bytes above ASCII, which could garble a terminal.
std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c != '\t' && (c < ' ' || c > '~'); }, '?');
  return result;
}

}  // namespace

std::string ParseError::render(std::string_view file_name, std::string_view text) const {
  std::string result = fmt::format("{}:{}:{}: error: {}\n", file_name, line, column, message);
  std::string_view source = line_at(text, line);
  std::size_t caret = std::min<std::size_t>(column == 0 ? 0 : column - 1, source.size());
  if (source.size() > kMaxLine) {
    const std::size_t start = caret > kBefore ? caret - kBefore : 0;
    source = source.substr(start, kMaxLine);
    caret -= start;
  }
  const std::string shown = printable(source);
  // Tabs are kept, so that the caret is below the token whatever their width.
  std::string indent = shown.substr(0, caret);
  std::replace_if(
      indent.begin(), indent.end(), [](char c) { return c != '\t'; }, ' ');
  return result + shown + '\n' + indent + "^\n";
}

}  // namespace warpsim::ptx
