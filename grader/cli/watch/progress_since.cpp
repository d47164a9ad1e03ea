#include "grader/cli/watch/progress_since.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "grader/core/numbers.h"
#include "grader/core/plural_points.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kNamed = 6;

std::map<std::string, bool> right_by_name(const Grade& grade) {
  std::map<std::string, bool> right;
  for (const CaseReport& report : grade.cases) {
    right[report.name] = report.verdict == CaseVerdict::passed;
  }
  return right;
}

std::string named(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < names.size() && i < kNamed; ++i) {
    shown.push_back(fmt::format("\"{}\"", names[i]));
  }
  if (names.size() > kNamed) shown.push_back(fmt::format("{} more", names.size() - kNamed));
  return join_and(shown);
}

}  // namespace

std::string progress_since(const StudentView& before, const StudentView& after) {
  std::vector<std::string> parts;
  const std::string from = human_points(before.grade.score());
  const std::string to = human_points(after.grade.score());
  const std::string points = plural_points(after.grade.score());
  parts.push_back(from == to ? points + " as before" : fmt::format("{} to {}", from, points));
  std::vector<std::string> better;
  std::vector<std::string> worse;
  const std::map<std::string, bool> was = right_by_name(before.grade);
  for (const auto& [name, right] : right_by_name(after.grade)) {
    const auto it = was.find(name);
    if (it == was.end() || it->second == right) continue;
    (right ? better : worse).push_back(name);
  }
  if (!better.empty()) parts.push_back("now right: " + named(better));
  if (!worse.empty()) parts.push_back("no longer right: " + named(worse));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace warpgrade
