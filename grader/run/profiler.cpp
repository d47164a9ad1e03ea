#include "grader/run/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "grader/core/text.h"
#include "grader/run/process.h"

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

/// "1,234.5" is what ncu prints; nothing for a word.
std::optional<double> number_of(std::string text) {
  std::erase(text, ',');
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::filesystem::path find_profiler() {
  return find_in_path("ncu");
}

std::vector<std::string> profiler_command(const std::filesystem::path& profiler,
                                          const std::vector<std::string>& metrics,
                                          const std::filesystem::path& csv) {
  return {
      profiler.string(), "--csv",     "--page",          "raw",
      "--print-units",   "base",      "--cache-control", "all",
      "--clock-control", "none",      "--metrics",       fmt::format("{}", fmt::join(metrics, ",")),
      "--log-file",      csv.string()};
}

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
    // Below the head stands a row of units, which has no ID.
    if (cells.size() != head.size() || !number_of(cells.front())) {
      continue;
    }
    ProfiledLaunch launch;
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == "Kernel Name") {
        launch.kernel = cells[i];
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
