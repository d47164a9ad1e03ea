// Counters and modelled times of kernels for tensor cores and the copy engine, against what ncu
// counted and measured on an H200 (tensor_*.cu, h200_tensor.csv).

#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <set>

#include "emulator/tests/counters/measured.h"

namespace {

/// As scripts/fidelity/read.py has it: "multiply<0>" of "multiply<false>".
std::string as_measured(const std::string& name) {
  const std::string digits = std::regex_replace(name, std::regex("\\bfalse\\b"), "0");
  return std::regex_replace(digits, std::regex("\\btrue\\b"), "1");
}

std::map<std::string, std::map<std::string, double>> emulated() {
  std::map<std::string, std::map<std::string, double>> counters;
  for (const std::string program : {"tensor_products", "tensor_copies", "tensor_programs"}) {
    for (auto& [name, values] : measured::counters_of(program)) {
      counters[as_measured(name)] = std::move(values);
    }
  }
  return counters;
}

/// Counters that are not the card's, with the reasons for readers of docs/fidelity.md.
std::set<std::pair<std::string, std::string>> known_differences() {
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& row : measured::rows_of("h200_tensor_differences.csv")) {
    known.emplace(row.at("kernel"), row.at("metric"));
  }
  return known;
}

}  // namespace

TEST_CASE("tensor cores and asynchronous copies count on the emulator what ncu counted on an H200",
          "[counters][tensor]") {
  const auto counters = emulated();
  const auto known = known_differences();
  int kernels = 0;
  std::size_t differences = 0;
  for (const auto& row : measured::rows_of("h200_tensor.csv")) {
    const std::string& kernel = row.at("kernel");
    ++kernels;
    for (const auto& [metric, cell] : row) {
      if (metric == "kernel" || metric == "us") continue;
      const double card = std::stod(cell);
      const double emulator = counters.at(kernel).at(metric);
      INFO(kernel << ' ' << metric << ": " << card << " on the card");
      if (known.contains({kernel, metric})) {
        CHECK(emulator != card);  // else it is not a difference
        ++differences;
      } else {
        CHECK(emulator == card);
      }
    }
  }
  CHECK(kernels == 55);
  CHECK(differences == known.size());
}
