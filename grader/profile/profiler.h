#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

/// Nsight Compute's program; empty where it is not installed.
[[nodiscard]] std::filesystem::path find_profiler();

/// The words to put in front of a program's own, so that every launch is profiled into `csv`. The
/// card's clocks are left as they are; caches are flushed before each launch.
/// @param metrics  ncu's names
[[nodiscard]] std::vector<std::string> profiler_command(const std::filesystem::path& profiler,
                                                        const std::vector<std::string>& metrics,
                                                        const std::filesystem::path& csv);

/// Of these metrics those that ncu has for this machine's cards; all where it does not say.
[[nodiscard]] std::vector<std::string> known_metrics(const std::filesystem::path& profiler,
                                                     const std::vector<std::string>& metrics);
/// The same, from what `ncu --query-metrics` printed.
[[nodiscard]] std::vector<std::string> metrics_in(const std::string& query,
                                                  const std::vector<std::string>& metrics);

}  // namespace warpgrade
