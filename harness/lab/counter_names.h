#pragma once

#include <span>
#include <string_view>

namespace warpgrade {

/// A counter that concept checks may use, summed over all kernels of one case.
struct CounterName {
  std::string_view name;  // in lab.toml
  std::string_view metric;  // key in a report's kernels[].counters: ncu's name where it has one
  std::string_view meaning;
};

[[nodiscard]] std::span<const CounterName> counter_names();
/// Null when there is none of that name.
[[nodiscard]] const CounterName* find_counter(std::string_view name);

}  // namespace warpgrade
