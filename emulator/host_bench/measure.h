#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpsim::bench {

/// Seconds, in ascending order; never empty.
struct Samples {
  std::vector<double> seconds;
  [[nodiscard]] double median() const { return seconds[seconds.size() / 2]; }
  /// Half the range, in percent of the median.
  [[nodiscard]] double spread() const {
    return (seconds.back() - seconds.front()) / median() * 50.0;
  }
};

[[nodiscard]] Samples sorted(std::vector<double> seconds);

/// Runs a shell command to its end and returns what it printed.
/// @throws std::runtime_error  if it cannot start or its exit status is not 0
[[nodiscard]] std::string output_of(const std::string& command);

/// The printed times of all launches except the first, which also compiles or decodes the kernel;
/// of the first if there is no other.
[[nodiscard]] Samples launch_times(const std::string& output);

/// A program of emulator/host_bench under the emulator.
struct Simulation {
  std::filesystem::path bin;  // with warpsim; the programs are in its folder bench
  int threads = 1;
  [[nodiscard]] std::string command(const std::string& program, const std::string& options,
                                    const std::string& arguments = "") const;
  [[nodiscard]] Samples launches(const std::string& program, const std::string& checks,
                                 const std::string& arguments = "",
                                 const std::string& options = "") const;
};

}  // namespace warpsim::bench
