#include "grader/run/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <mutex>
#include <set>
#include <string_view>

#include "grader/core/text.h"
#include "grader/run/process.h"

namespace warpgrade {
namespace {

constexpr std::chrono::seconds kQueryLimit{120};
constexpr std::size_t kQueryOutput = std::size_t{4} << 20;

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

/// Beyond what a card counts in a run, so that sums of what a program wrote in ncu's place hold.
constexpr double kLargestCount = 1e18;
constexpr std::uint64_t kLargestExtent = std::uint64_t{1} << 32;

/// "1,234.5" is what ncu prints; nothing for a word, of which "nan" and "inf" are two.
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

std::vector<std::string> metrics_in(const std::string& query,
                                    const std::vector<std::string>& metrics) {
  // A line a metric: its name without what is made of it (".sum"), then its meaning.
  std::set<std::string_view> names;
  for (const std::string_view line : split_lines(query)) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t"));
    if (name.find("__") != std::string_view::npos) {
      names.insert(name);
    }
  }
  if (names.empty()) {
    return metrics;
  }
  std::vector<std::string> known;
  std::copy_if(metrics.begin(), metrics.end(), std::back_inserter(known),
               [&](const std::string& metric) {
                 return names.contains(std::string_view(metric).substr(0, metric.find('.')));
               });
  return known.empty() ? metrics : known;
}

std::vector<std::string> known_metrics(const std::filesystem::path& profiler,
                                       const std::vector<std::string>& metrics) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::string> asked;
  const std::lock_guard lock(mutex);
  if (!asked.contains(profiler)) {
    ProcessSpec spec{.argv = {profiler.string(), "--query-metrics"},
                     .folder = {},
                     .environment = base_environment(),
                     .descriptors = {},
                     .confinement = std::nullopt,
                     .limits = {.wall = kQueryLimit, .output_bytes = kQueryOutput}};
    asked[profiler] = run_process(spec).out;
  }
  return metrics_in(asked[profiler], metrics);
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
