#include "emulator/host_bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace warpsim::bench {

Samples sorted(std::vector<double> seconds) {
  if (seconds.empty()) throw std::runtime_error("the program printed no launch times");
  std::sort(seconds.begin(), seconds.end());
  return {std::move(seconds)};
}

std::string output_of(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start: " + command);
  std::string output;
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    output.append(buffer.data(), count);
  }
  if (const int status = pclose(pipe); status != 0) {
    throw std::runtime_error(fmt::format("wait status {} from: {}", status, command));
  }
  return output;
}

Samples launch_times(const std::string& output) {
  static constexpr std::string_view kMark = "launch ";
  std::vector<double> seconds;
  std::size_t at = 0;
  while ((at = output.find(kMark, at)) != std::string::npos) {
    at += kMark.size();
    seconds.push_back(std::strtod(output.c_str() + at, nullptr));
  }
  if (seconds.size() > 1) seconds.erase(seconds.begin());
  return sorted(std::move(seconds));
}

std::string Simulation::command(const std::string& program, const std::string& options,
                                const std::string& arguments) const {
  return fmt::format("'{}' --threads {} {} -- '{}' {} 2>/dev/null", (bin / "warpsim").string(),
                     threads, options, (bin / "bench" / program).string(), arguments);
}

Samples Simulation::launches(const std::string& program, const std::string& checks,
                             const std::string& arguments, const std::string& options) const {
  return launch_times(output_of(command(program, "--check " + checks + " " + options, arguments)));
}

}  // namespace warpsim::bench
