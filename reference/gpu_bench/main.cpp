/// Measures each lab's solution against the library that a user would take instead, and both
/// against what the card can do. See docs/cli/bench.md.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/timing/statistics.h"
#include "reference/gpu_bench/measure.h"

namespace against {
namespace {

struct Figures {
  Timed timed;
  warpgrade::Summary time;  // ms
  double rate = 0;  // the row's work per second
  double ratio = 1;  // the first one's time over this one's: above 1 is faster
  warpgrade::Interval interval{.low = 1, .high = 1};
};

std::vector<Figures> figures_of(const Row& row, const std::vector<Timed>& timed) {
  std::vector<Figures> all;
  for (const Timed& one : timed) {
    Figures figures;
    figures.timed = one;
    if (one.problem.empty()) {
      figures.time = warpgrade::summarise(one.ms);
      figures.rate = row.work / (figures.time.median / 1e3);
      if (!all.empty()) {
        figures.ratio = all.front().time.median / figures.time.median;
        figures.interval = warpgrade::bootstrap_ratio(all.front().timed.ms, one.ms);
      }
    }
    all.push_back(std::move(figures));
  }
  return all;
}

double ceiling_of(const Row& row, const Ceilings& ceilings) {
  switch (row.ceiling) {
    case Ceiling::copy:
      return ceilings.copy;
    case Ceiling::read:
      return ceilings.read;
    case Ceiling::multiply_add:
      return ceilings.multiply_add;
    case Ceiling::none:
      return 0;
  }
  return 0;
}

bool counts_operations(const Row& row) {
  return row.ceiling == Ceiling::multiply_add || row.ceiling == Ceiling::none;
}

std::string rate_text(const Row& row, double rate) {
  return counts_operations(row) ? fmt::format("{:.1f} TFLOP/s", rate / 1e12)
                                : fmt::format("{:.0f} GB/s", rate / 1e9);
}

void print(const Row& row, const std::vector<Figures>& all, const Ceilings& ceilings) {
  fmt::print("{}: {}\n", row.lab, row.size);
  for (const Figures& one : all) {
    if (!one.timed.problem.empty()) {
      fmt::print("  {:<34} {}\n", one.timed.name, one.timed.problem);
      continue;
    }
    const double ceiling = ceiling_of(row, ceilings);
    fmt::print(
        "  {:<34} {:>9.4f} ms +-{:>4.1f} %  {:>14}  {:>6}  {:.3f} [{:.3f}, {:.3f}]  {:.1e}\n",
        one.timed.name, one.time.median, 50 * one.time.spread, rate_text(row, one.rate),
        ceiling > 0 ? fmt::format("{:.1f} %", 100 * one.rate / ceiling) : "-", one.ratio,
        one.interval.low, one.interval.high, one.timed.error);
  }
  std::fflush(stdout);
}

nlohmann::json to_json(const Row& row, const std::vector<Figures>& all, const Ceilings& ceilings) {
  nlohmann::json contenders = nlohmann::json::array();
  for (const Figures& one : all) {
    nlohmann::json entry{{"name", one.timed.name}, {"problem", one.timed.problem}};
    if (one.timed.problem.empty()) {
      const double ceiling = ceiling_of(row, ceilings);
      entry.update({{"median_ms", one.time.median},
                    {"smallest_ms", one.time.smallest},
                    {"spread", one.time.spread},
                    {"samples_ms", one.timed.ms},
                    {"work_per_second", one.rate},
                    {"ratio", one.ratio},
                    {"ratio_interval", {one.interval.low, one.interval.high}},
                    {"error", one.timed.error},
                    {"of_ceiling",
                     ceiling > 0 ? nlohmann::json(one.rate / ceiling) : nlohmann::json(nullptr)}});
    }
    contenders.push_back(std::move(entry));
  }
  return {{"lab", row.lab},
          {"size", row.size},
          {"work", row.work},
          {"work_unit", counts_operations(row) ? "operations" : "bytes"},
          {"contenders", std::move(contenders)}};
}

struct Options {
  std::string lab;
  std::string json;
  int rounds = 31;
};

int run(const Options& options) {
  cudaDeviceProp card{};
  int driver = 0;
  check(cudaGetDeviceProperties(&card, 0), "looking for a GPU");
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  const Ceilings ceilings = measure_ceilings(options.rounds);
  fmt::print(
      "{}, driver for CUDA {}.{}, built with CUDA {}.{}; measured: copy {:.0f} GB/s, read {:.0f} "
      "GB/s, multiply-add {:.1f} TFLOP/s\n",
      card.name, driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
      CUDART_VERSION % 1000 / 10, ceilings.copy / 1e9, ceilings.read / 1e9,
      ceilings.multiply_add / 1e12);
  fmt::print(
      "contender, median time and half the spread of its middle half, rate, part of the measured "
      "ceiling, ratio to the first and its 95 % interval, error\n");
  nlohmann::json rows = nlohmann::json::array();
  bool right = true;
  bool found = false;
  std::vector<Lab> labs = registered_labs();
  std::sort(labs.begin(), labs.end(), [](const Lab& a, const Lab& b) { return a.name < b.name; });
  for (const Lab& lab : labs) {
    if (!options.lab.empty() && options.lab != lab.name) continue;
    found = true;
    for (const Row& row : lab.rows()) {
      try {
        const std::vector<Figures> all = figures_of(row, measure(row, options.rounds));
        print(row, all, ceilings);
        rows.push_back(to_json(row, all, ceilings));
        for (const Figures& one : all) right = right && one.timed.problem.empty();
      } catch (const std::exception& e) {
        fmt::print("{}: {}\n  left out: {}\n", row.lab, row.size, e.what());
        rows.push_back({{"lab", row.lab}, {"size", row.size}, {"problem", e.what()}});
        right = false;
      }
    }
  }
  if (!found) {
    fmt::print(stderr, "library_bench: there is nothing to hold lab '{}' against\n", options.lab);
    return 2;
  }
  if (!options.json.empty()) {
    const nlohmann::json report{{"schema", 1},
                                {"card", card.name},
                                {"driver", driver},
                                {"cuda", CUDART_VERSION},
                                {"rounds", options.rounds},
                                {"ceilings",
                                 {{"copy_bytes_per_second", ceilings.copy},
                                  {"read_bytes_per_second", ceilings.read},
                                  {"multiply_add_operations_per_second", ceilings.multiply_add}}},
                                {"rows", std::move(rows)}};
    std::ofstream(options.json) << report.dump(1) << "\n";
  }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace against

int main(int argc, char** argv) {
  against::Options options;
  CLI::App app("Each lab's solution against what a user would take instead, on this GPU");
  app.add_option("lab", options.lab, "The lab (default: all labs)");
  app.add_option("--json", options.json, "Write the figures to this file too");
  app.add_option("--rounds", options.rounds, "Timed calls of each contender")
      ->check(CLI::Range(5, 10000));
  CLI11_PARSE(app, argc, argv);
  try {
    return against::run(options);
  } catch (const std::exception& e) {
    fmt::print(stderr, "library_bench: {}\n", e.what());
    return 3;
  }
}
