#include "grader/author/check/table.h"

#include <fmt/core.h>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {

std::string with_table(const std::filesystem::path& page, std::string_view marker,
                       std::string_view table) {
  const std::string before = fmt::format("<!-- {} -->\n", marker);
  constexpr std::string_view kAfter = "<!-- end -->\n";
  const std::string text = read_file(page);
  const std::size_t begin = text.find(before);
  const std::size_t end = begin == std::string::npos ? begin : text.find(kAfter, begin);
  if (end == std::string::npos) {
    throw UsageError(
        fmt::format("{} lacks the lines '<!-- {} -->' and '<!-- end -->' that enclose the table",
                    page.string(), marker));
  }
  return fmt::format("{}{}\n{}\n{}", text.substr(0, begin), before, table, text.substr(end));
}

}  // namespace warpgrade
