// Counters of kernels for tensor cores and the copy engine, against what ncu counted on an H200
// (tensor_*.cu, h200_tensor.csv).

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
    known.emplace(row.at("kernel"), row.at("counter"));
  }
  return known;
}

/// A card's figures by the emulator's counter: several metrics may be parts of one, and some the
/// emulator does not have.
std::map<std::string, double> by_counter(const std::map<std::string, std::string>& row) {
  static const auto names = measured::rows_of("h200_tensor_metrics.csv");
  std::map<std::string, double> sums;
  for (const auto& name : names) {
    const std::string& counter = name.at("emulator");
    if (!counter.empty()) sums[counter] += std::stod(row.at(name.at("metric")));
  }
  return sums;
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
    for (const auto& [counter, card] : by_counter(row)) {
      const double emulator = counters.at(kernel).at(counter);
      INFO(kernel << ' ' << counter << ": " << card << " on the card");
      if (known.contains({kernel, counter})) {
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
