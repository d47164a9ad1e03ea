#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// What Nsight Compute counted for one launch, in base units (nanoseconds, bytes).
struct ProfiledLaunch {
  std::string kernel;
  std::map<std::string, double> metrics;
};

/// Nsight Compute's program; empty where it is not installed.
[[nodiscard]] std::filesystem::path find_profiler();

/// The words to put in front of a program's own, so that every launch is profiled into `csv`. The
/// card's clocks are left as they are; caches are flushed before each launch.
/// @param metrics  ncu's names
[[nodiscard]] std::vector<std::string> profiler_command(const std::filesystem::path& profiler,
                                                        const std::vector<std::string>& metrics,
                                                        const std::filesystem::path& csv);

/// Reads what such a run wrote (`ncu --csv --page raw`); nothing when it holds no table.
[[nodiscard]] std::optional<std::vector<ProfiledLaunch>> read_profile(const std::string& csv);

/// The duration of a launch on the device, in nanoseconds.
inline constexpr const char* kDurationMetric = "gpu__time_duration.sum";

}  // namespace warpgrade
