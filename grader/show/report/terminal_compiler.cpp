#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/compile/compiler_messages.h"
#include "grader/core/text.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/show/report/terminal_parts.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kBuildLogLines = 30;
constexpr std::size_t kBuildLogColumns = 400;  // a source may consist of one very long line

/// A line of the compiler as editors read it: "file:line:column: error: ..."; other lines as they
/// are.
std::string for_editors(std::string_view line, const std::string& folder) {
  const std::vector<CompilerMessage> messages = parse_compiler_messages(line);
  if (messages.size() != 1 || messages[0].file.empty() || messages[0].line == 0) {
    return "  " + std::string(line);
  }
  const CompilerMessage& message = messages[0];
  return fmt::format("{}:{}:{}: {}: {}", path_in(folder, message.file), message.line,
                     std::max(message.column, 1U), message.is_error ? "error" : "warning",
                     message.text);
}

}  // namespace

void write_compiler_output(const std::string& log, const std::string& folder, Writer& out) {
  if (log.empty()) return;
  out.line(out.ink(Ink::strong, "Compiler output"));
  const std::vector<std::string_view> lines = split_lines(log);
  // After many warnings, the first error matters.
  const auto error = std::find_if(lines.begin(), lines.end(), [](std::string_view line) {
    return line.find("error") != std::string_view::npos;
  });
  const auto at = static_cast<std::size_t>(error - lines.begin());
  const std::size_t first = error == lines.end() || at < kBuildLogLines ? 0 : at;
  const std::size_t end = std::min(first + kBuildLogLines, lines.size());
  if (first > 0) {
    out.line(fmt::format("  {} of warnings, then", plural(first, "line")));
  }
  for (std::size_t i = first; i < end; ++i) {
    out.line(printable(for_editors(lines[i].substr(0, kBuildLogColumns), folder)));
  }
  if (end < lines.size()) {
    out.line(fmt::format("  and {}", plural(lines.size() - end, "more line")));
  }
  out.line();
}

}  // namespace warpgrade
