#include "grader/record/counters/ncu_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// The cells of one line of CSV; quotes may hold commas, and a doubled quote is one.
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// More than a card counts in any run; keeps sums finite if a program forged the table.
constexpr double kLargestCount = 1e18;
constexpr std::uint64_t kLargestExtent = std::uint64_t{1} << 32;

/// Parses numbers as ncu prints them, "1,234.5"; nothing for words, "nan" and "inf" included.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0) {
    return std::nullopt;
  }
  return std::min(value, kLargestCount);
}

/// The numbers of "(256, 1, 1)".
std::vector<std::uint64_t> extents_of(std::string_view text) {
  std::vector<std::uint64_t> extents;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    std::uint64_t extent = 0;
    const auto [end, error] = std::from_chars(at, text.data() + text.size(), extent);
    if (error == std::errc{} && extents.size() < 3) {
      extents.push_back(std::min(extent, kLargestExtent));
    }
    at = end == at ? at + 1 : end;
  }
  return extents;
}

}  // namespace

std::optional<std::vector<ProfiledLaunch>> read_profile(const std::string& csv) {
  std::vector<std::string> head;
  std::vector<ProfiledLaunch> launches;
  for (const std::string_view line : split_lines(csv)) {
    const std::vector<std::string> cells = cells_of(line);
    if (head.empty()) {
      if (cells.front() == "ID") {
        head = cells;
      }
      continue;
    }
    // Below the header there is a row of units, which has no ID.
    if (cells.size() != head.size() || !number_of(cells.front())) {
      continue;
    }
    ProfiledLaunch launch;
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == "Kernel Name") {
        launch.kernel = cells[i];
      } else if (head[i] == "Grid Size") {
        launch.grid = extents_of(cells[i]);
      } else if (head[i] == "Block Size") {
        launch.block = extents_of(cells[i]);
      } else if (const auto value = number_of(cells[i]);
                 value && head[i].find("__") != std::string::npos) {
        launch.metrics.emplace(head[i], *value);
      }
    }
    launches.push_back(std::move(launch));
  }
  if (head.empty()) {
    return std::nullopt;
  }
  return launches;
}

}  // namespace warpgrade
