// build/bin/emulator_bench: how fast the emulator runs on one core of this machine. Prints medians
// with their spread and judges nothing: numbers of a shared machine are no test.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// Seconds, in ascending order.
struct Samples {
  std::vector<double> seconds;
  [[nodiscard]] double median() const { return seconds[seconds.size() / 2]; }
  [[nodiscard]] double spread() const { return (seconds.back() - seconds.front()) / median(); }
};

Samples sorted(std::vector<double> seconds) {
  if (seconds.empty()) throw std::runtime_error("the program printed no launch times");
  std::sort(seconds.begin(), seconds.end());
  return {std::move(seconds)};
}

/// Runs a benchmark program under warpsim on one thread and returns what it printed.
std::string simulate(const fs::path& bin, const std::string& program, const std::string& options) {
  const std::string command =
      fmt::format("'{}' --threads 1 {} -- '{}' 2>/dev/null", (bin / "warpsim").string(), options,
                  (bin / "bench" / program).string());
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

/// The times of all launches but the first, which also decodes the kernel.
Samples launch_times(const std::string& output) {
  std::vector<double> seconds;
  std::size_t at = 0;
  while ((at = output.find("launch ", at)) != std::string::npos) {
    at += std::string_view("launch ").size();
    seconds.push_back(std::strtod(output.c_str() + at, nullptr));
  }
  if (seconds.size() > 1) seconds.erase(seconds.begin());
  return sorted(std::move(seconds));
}

/// Thread instructions of one launch, from the report.
double lane_instructions(const fs::path& bin, const std::string& program) {
  const fs::path report = fs::temp_directory_path() / ("bench-" + program + ".json");
  simulate(bin, program, fmt::format("--json '{}'", report.string()));
  const auto kernel = nlohmann::json::parse(std::ifstream(report)).at("kernels").at(0);
  fs::remove(report);
  const double total = kernel.at("counters").at("smsp__thread_inst_executed.sum");
  return total / kernel.at("launches").get<double>();
}

void bench_kernel(const fs::path& bin, const std::string& program, const std::string& title) {
  const double lanes = lane_instructions(bin, program);
  const Samples off = launch_times(simulate(bin, program, "--check none"));
  const Samples on = launch_times(simulate(bin, program, "--check all"));
  const auto row = [&](const char* checks, const Samples& samples) {
    fmt::print("{:<24} {:<10} {:>9.1f} ms  ±{:>4.1f} %  {:>6.2f} G lane instructions/s\n", title,
               checks, samples.median() * 1e3, samples.spread() * 50.0,
               lanes / samples.median() / 1e9);
  };
  row("checks off", off);
  row("checks on", on);
  fmt::print("{:<24} {:<10} {:>9.2f} x\n", "", "on / off", on.median() / off.median());
}

void bench_startup(const fs::path& bin) {
  std::vector<double> seconds;
  for (int i = 0; i < 11; ++i) {
    const auto start = std::chrono::steady_clock::now();
    simulate(bin, "startup", "");
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const Samples samples = sorted(std::move(seconds));
  fmt::print("{:<24} {:<10} {:>9.1f} ms  ±{:>4.1f} %\n", "one empty launch", "process",
             samples.median() * 1e3, samples.spread() * 50.0);
}

}  // namespace

int main() {
  try {
    const fs::path bin = fs::read_symlink("/proc/self/exe").parent_path();
    fmt::print("one host thread of {}; medians of 4 launches, half the range as ±\n",
               std::thread::hardware_concurrency());
    bench_kernel(bin, "gemm", "gemm 512^3, tile 16");
    bench_kernel(bin, "vecadd", "vecadd 2^20");
    bench_startup(bin);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 70;
  }
}
