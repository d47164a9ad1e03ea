#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

/// Nsight Compute's program; empty if it is not installed.
[[nodiscard]] std::filesystem::path find_profiler();

/// The command-line prefix that profiles every launch into `csv`. The card's clocks are left as
/// they are; caches are flushed before each launch.
/// @param metrics  ncu's names
[[nodiscard]] std::vector<std::string> profiler_command(const std::filesystem::path& profiler,
                                                        const std::vector<std::string>& metrics,
                                                        const std::filesystem::path& csv);

/// The metrics among these that ncu has for this machine's cards; all if it does not tell.
[[nodiscard]] std::vector<std::string> known_metrics(const std::filesystem::path& profiler,
                                                     const std::vector<std::string>& metrics);
/// The same, from the output of `ncu --query-metrics`.
[[nodiscard]] std::vector<std::string> metrics_in(const std::string& query,
                                                  const std::vector<std::string>& metrics);

}  // namespace warpgrade
