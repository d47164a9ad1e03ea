// build/bin/emulator_bench [--json FILE]: the emulator's speed on this machine, alone and compared
// with other implementations. Prints medians without a verdict: figures from a shared machine are
// not conclusive.

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "emulator/host_bench/measure.h"
#include "emulator/host_bench/peers.h"

namespace warpsim::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Thread instructions of one launch, from the report.
double lane_instructions(const Simulation& simulation, const std::string& program) {
  const fs::path report = fs::temp_directory_path() / ("bench-" + program + ".json");
  static_cast<void>(
      output_of(simulation.command(program, fmt::format("--json '{}'", report.string()), "")));
  const auto kernel = json::parse(std::ifstream(report)).at("kernels").at(0);
  fs::remove(report);
  const double total = kernel.at("counters").at("smsp__thread_inst_executed.sum");
  return total / kernel.at("launches").get<double>();
}

json bench_kernel(const Simulation& simulation, const std::string& program,
                  const std::string& title) {
  const double lanes = lane_instructions(simulation, program);
  fmt::print("{:<24} {:<20} {:>12} {:>12} {:>8} {:>26}\n", title, "", "interpreted", "native",
             "ratio", "G lane instructions/s");
  json row{{"kernel", title}, {"lane_instructions", lanes}};
  for (const char* const checks : {"none", "bounds,counters", "all"}) {
    const Samples interpreted = simulation.launches(program, checks, "", "--jit off");
    const Samples native = simulation.launches(program, checks, "", "--jit on");
    fmt::print("{:<24} {:<20} {:>9.1f} ms {:>9.1f} ms {:>8.2f} {:>15.2f}, {:>9.2f}\n", "", checks,
               interpreted.median() * 1e3, native.median() * 1e3,
               native.median() / interpreted.median(), lanes / interpreted.median() / 1e9,
               lanes / native.median() / 1e9);
    row["seconds"][checks] = {{"interpreted", interpreted.median()}, {"native", native.median()}};
  }
  return row;
}

json bench_startup(const Simulation& simulation) {
  std::vector<double> seconds;
  for (int i = 0; i < 11; ++i) {
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(output_of(simulation.command("startup", "", "")));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    seconds.push_back(elapsed.count());
  }
  const Samples samples = sorted(std::move(seconds));
  fmt::print("{:<24} {:<10} {:>9.1f} ms  ±{:>4.1f} %\n", "one empty launch", "process",
             samples.median() * 1e3, samples.spread());
  return {{"process_seconds", samples.median()}};
}

/// Time per thread and peak memory over sizes: both should be independent of the number of blocks,
/// except for the program's own arrays.
json bench_growth(const Simulation& simulation) {
  json rows = json::array();
  fmt::print("{:<24} {:>10} {:>10} {:>14}\n", "all checks", "size", "ms", "ns per thread");
  for (const char* program : {"vecadd", "reduction"}) {
    for (const int log2 : {20, 22, 24, 26}) {
      const Samples samples = simulation.launches(program, "all", fmt::format("{} 1", log2));
      const double threads = static_cast<double>(1 << log2);
      fmt::print("{:<24} {:>10} {:>10.1f} {:>14.2f}\n", program, fmt::format("2^{}", log2),
                 samples.median() * 1e3, samples.median() / threads * 1e9);
      std::fflush(stdout);
      rows.push_back({{"kernel", program}, {"log2", log2}, {"seconds", samples.median()}});
    }
  }
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  fmt::print("largest program: {:.2f} GiB in memory\n",
             static_cast<double>(usage.ru_maxrss) / (1 << 20));
  rows.push_back({{"peak_bytes", usage.ru_maxrss * 1024}});
  return rows;
}

json bench_all(const fs::path& bin) {
  const Simulation one{bin, 1};
  fmt::print("one host thread of {}; medians of 4 launches, interpreted and with native code\n",
             std::thread::hardware_concurrency());
  json alone = json::array();
  alone.push_back(bench_kernel(one, "gemm", "gemm 512^3, tile 16"));
  alone.push_back(bench_kernel(one, "vecadd", "vecadd 2^20"));
  alone.push_back(bench_kernel(one, "reduction", "reduction 2^20"));
  json result{{"alone", std::move(alone)}, {"startup", bench_startup(one)}};
  fmt::print("\n");
  result["growth"] = bench_growth({bin, 2});
  fmt::print("\n");
  result["peers"] = compare_with_peers(bin);
  return result;
}

int run(int argc, char** argv) {
  fs::path json_path;
  if (argc == 3 && std::string_view(argv[1]) == "--json") {
    json_path = argv[2];
  } else if (argc != 1) {
    fmt::print(stderr, "usage: emulator_bench [--json FILE]\n");
    return 2;
  }
  try {
    const json result = bench_all(fs::read_symlink("/proc/self/exe").parent_path());
    if (!json_path.empty() && !(std::ofstream(json_path) << result.dump(2) << '\n')) {
      throw std::runtime_error("cannot write " + json_path.string());
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 70;
  }
  return 0;
}

}  // namespace
}  // namespace warpsim::bench

int main(int argc, char** argv) {
  return warpsim::bench::run(argc, argv);
}
