#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpgrade {

/// What Nsight Compute counted for one launch, in base units (nanoseconds, bytes).
struct ProfiledLaunch {
  std::string kernel;
  std::map<std::string, double> metrics;  // those that ncu could collect
  std::vector<std::uint64_t> grid = {};
  std::vector<std::uint64_t> block = {};
};

/// Reads the table that Nsight Compute wrote (`ncu --csv --page raw`); nothing if there is none.
[[nodiscard]] std::optional<std::vector<ProfiledLaunch>> read_profile(const std::string& csv);

/// The duration of a launch on the device, in nanoseconds.
inline constexpr const char* kDurationMetric = "gpu__time_duration.sum";

}  // namespace warpgrade
