#include "harness/lab/checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/core/closest.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {

bool is_type_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

bool same_points(double a, double b) {
  constexpr double kSlack = 1e-9;
  return std::abs(a - b) <= kSlack;
}

bool is_identifier(std::string_view text) {
  return is_type_name(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string near = closest(name, known);
  return near.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                      : fmt::format("did you mean '{}'?", near);
}

void check_known(const TomlTable& table, std::string_view key, const std::string& name,
                 const std::vector<std::string>& known, std::string_view what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  table.fail(key, fmt::format("{} '{}' does not exist; {}", what, name, suggestion(name, known)));
}

void check_dims(const TomlTable& table, std::string_view key, const Expression& formula,
                const std::vector<Dataset>& datasets, bool counters_too) {
  for (const std::string& name : formula.names()) {
    if (counters_too && find_counter(name) != nullptr) continue;
    for (const Dataset& dataset : datasets) {
      if (dataset.dims.contains(name)) continue;
      std::vector<std::string> known;
      for (const auto& [dim, extent] : dataset.dims) known.push_back(dim);
      if (counters_too) {
        for (const CounterName& counter : counter_names()) known.emplace_back(counter.name);
      }
      table.fail(key, fmt::format("'{}' in formula '{}' is not a dim of dataset '{}'{}; {}", name,
                                  formula.text(), dataset.name,
                                  counters_too ? " nor a counter" : "", suggestion(name, known)));
    }
  }
}

}  // namespace warpgrade
