#include "grader/build/inspection/symbol_origin.h"

#include <fmt/core.h>

#include <charconv>
#include <cstdint>
#include <optional>

#include "grader/core/text.h"
#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

/// `# 12 "file.h" 1`: the next line is line 12 of file.h.
struct LineMarker {
  std::size_t line = 0;
  std::string_view file;
};

std::optional<LineMarker> read_marker(std::string_view text) {
  if (!text.starts_with("# ")) {
    return std::nullopt;
  }
  LineMarker marker;
  const auto [end, error] =
      std::from_chars(text.data() + 2, text.data() + text.size(), marker.line);
  const std::size_t open = text.find('"');
  const std::size_t close = text.rfind('"');
  if (error != std::errc() || open == close) {
    return std::nullopt;
  }
  marker.file = text.substr(open + 1, close - open - 1);
  return marker;
}

/// "name(" as a word of its own.
bool calls(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
    const std::size_t next = code.find_first_not_of(' ', at + name.size());
    if ((at == 0 || !is_in_name(code[at - 1])) && next != code.npos && code[next] == '(') {
      return true;
    }
  }
  return false;
}

/// The C library declares everything, and calls nothing.
bool only_declares(std::string_view file) {
  return file.starts_with("/usr/include/");
}

}  // namespace

std::string symbol_origin(std::string_view name, std::string_view preprocessed,
                          std::string_view file, std::string_view source) {
  LineMarker now;
  bool included = false;  // the call is in the student's last include
  for (const std::string_view line : split_lines(preprocessed)) {
    if (const auto marker = read_marker(line)) {
      now = *marker;
      if (!included || now.file != file) {
        continue;
      }
      // Returned to the student's file, after the directive.
      const auto lines = split_lines(source);
      if (now.line < 2 || now.line - 2 >= lines.size()) {
        return {};
      }
      return fmt::format("`{}` at {}:{}", printable(trimmed(lines[now.line - 2])), file,
                         now.line - 1);
    }
    if (!only_declares(now.file) && calls(line, name)) {
      if (now.file == file) {
        return fmt::format("{}:{}", file, now.line);
      }
      included = true;
    }
    ++now.line;
  }
  return {};
}

}  // namespace warpgrade
