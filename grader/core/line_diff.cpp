#include "grader/core/line_diff.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kContext = 3;

struct Line {
  char mark = ' ';  // or '-', '+'
  std::string_view text;
};

/// Both texts as one list, by their longest common subsequence of lines.
std::vector<Line> aligned(const std::vector<std::string_view>& a,
                          const std::vector<std::string_view>& b) {
  // common[i][j]: of the lines from i and j on
  std::vector<std::vector<std::uint32_t>> common(a.size() + 1,
                                                 std::vector<std::uint32_t>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;) {
      common[i][j] =
          a[i] == b[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  std::vector<Line> lines;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      lines.push_back({.mark = ' ', .text = a[i++]});
      ++j;
    } else if (i < a.size() && (j == b.size() || common[i + 1][j] >= common[i][j + 1])) {
      lines.push_back({.mark = '-', .text = a[i++]});
    } else {
      lines.push_back({.mark = '+', .text = b[j++]});
    }
  }
  return lines;
}

/// "12,7": from line 12, counted from 1, seven lines.
std::string range(std::size_t before, std::size_t count) {
  const std::size_t first = count == 0 ? before : before + 1;
  return count == 1 ? fmt::format("{}", first) : fmt::format("{},{}", first, count);
}

std::size_t count_without(const std::vector<Line>& lines, std::size_t from, std::size_t to,
                          char mark) {
  return static_cast<std::size_t>(
      std::count_if(lines.begin() + static_cast<std::ptrdiff_t>(from),
                    lines.begin() + static_cast<std::ptrdiff_t>(to),
                    [&](const Line& line) { return line.mark != mark; }));
}

}  // namespace

std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name) {
  const std::vector<Line> lines = aligned(split_lines(old_text), split_lines(new_text));
  std::string diff;
  for (std::size_t at = 0; at < lines.size();) {
    if (lines[at].mark == ' ') {
      ++at;
      continue;
    }
    // Up to the first change that has more than twice the context before it.
    std::size_t last = at;
    for (std::size_t i = at; i < lines.size() && i - last <= 2 * kContext + 1; ++i) {
      if (lines[i].mark != ' ') last = i;
    }
    const std::size_t from = at - std::min(at, kContext);
    const std::size_t to = std::min(lines.size(), last + 1 + kContext);
    if (diff.empty()) diff = fmt::format("--- {}\n+++ {}\n", old_name, new_name);
    diff +=
        fmt::format("@@ -{} +{} @@\n",
                    range(count_without(lines, 0, from, '+'), count_without(lines, from, to, '+')),
                    range(count_without(lines, 0, from, '-'), count_without(lines, from, to, '-')));
    for (std::size_t i = from; i < to; ++i) {
      diff += fmt::format("{}{}\n", lines[i].mark, lines[i].text);
    }
    at = to;
  }
  return diff;
}

}  // namespace warpgrade
