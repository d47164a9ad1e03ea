#include "grader/run/gpu_profile/profiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string_view>

#include "grader/core/text.h"
#include "grader/process/process.h"

namespace warpgrade {
namespace {

constexpr std::chrono::seconds kQueryLimit{120};
constexpr std::size_t kQueryOutput = std::size_t{4} << 20;

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
  // One line per metric: its name without a suffix such as ".sum", then its description.
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

}  // namespace warpgrade
