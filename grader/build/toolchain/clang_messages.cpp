#include "grader/build/toolchain/clang_messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestLine = 4096;  // of clang's: std::regex recurses over it

struct Row {
  std::string kind;
  std::string pattern;
  std::string text;
};

std::vector<Row> read_table(const fs::path& headers) {
  const fs::path file = headers / "warpgrade" / "clang" / "messages.tsv";
  std::error_code error;
  const std::string table = fs::exists(file, error) ? read_file(file) : std::string();
  std::vector<Row> rows;
  for (const std::string_view line : split_lines(table)) {
    const std::size_t first = line.find('\t');
    const std::size_t second = first == line.npos ? first : line.find('\t', first + 1);
    if (line.starts_with('#') || second == line.npos) continue;
    rows.push_back({.kind = std::string(line.substr(0, first)),
                    .pattern = std::string(line.substr(first + 1, second - first - 1)),
                    .text = std::string(line.substr(second + 1))});
  }
  if (rows.empty()) {
    throw EnvironmentError(
        fmt::format("{} is missing or damaged; reinstall warpgrade", file.string()));
  }
  return rows;
}

std::optional<std::string> match(const Row& row, std::string_view output) {
  const std::regex pattern(row.pattern, std::regex::extended);
  for (const std::string_view line : split_lines(output)) {
    std::cmatch groups;
    const std::string_view part = line.substr(0, kLongestLine);
    if (!std::regex_search(part.data(), part.data() + part.size(), groups, pattern)) continue;
    std::string text = row.text;
    for (std::size_t i = 1; i < groups.size(); ++i) {
      text = replace_all(text, fmt::format("{{{}}}", i), groups[i].str());
    }
    return text;
  }
  return std::nullopt;
}

}  // namespace

ClangMeaning clang_meaning(const fs::path& headers, std::initializer_list<std::string_view> kinds,
                           std::string_view output,
                           const std::vector<std::pair<std::string, std::string>>& facts) {
  for (const Row& row : read_table(headers)) {
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) continue;
    if (std::optional<std::string> text = match(row, output)) {
      for (const auto& [name, value] : facts) *text = replace_all(*text, "{" + name + "}", value);
      return {.kind = row.kind, .text = *std::move(text)};
    }
  }
  return {};
}

std::string shadowing_problem(const fs::path& headers, const std::string& file) {
  std::error_code error;
  const fs::path name = fs::path(file).filename();
  if (headers.empty() || !fs::is_regular_file(headers / name, error)) return {};
  for (const Row& row : read_table(headers)) {
    if (row.kind == "shadow") return replace_all(row.text, "{file}", file);
  }
  return {};
}

}  // namespace warpgrade
