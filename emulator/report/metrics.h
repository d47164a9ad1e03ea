#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "emulator/counters/counters.h"

namespace warpsim {

/// What a kernel and one of its source lines have in common, so that one table serves both.
struct CounterView {
  std::uint64_t executed = 0;
  std::uint64_t threads = 0;
  std::uint64_t divergent = 0;
  std::span<const Counts> by_kind;  // indexed by AccessKind

  [[nodiscard]] static CounterView of(const KernelCounters& kernel);
  [[nodiscard]] static CounterView of(const LineCounters& line);
  [[nodiscard]] const Counts& operator[](AccessKind kind) const {
    return by_kind[static_cast<std::size_t>(kind)];
  }
};

using MetricValue = std::variant<std::uint64_t, double>;

/// A counter under the name that a report gives it: ncu's metric name where ncu has the counter,
/// a plain word where it has not.
struct Metric {
  std::string_view name;
  MetricValue (*value)(const CounterView&);
};

/// All metrics, in the order of the report. Adding a counter is adding a row.
[[nodiscard]] std::span<const Metric> all_metrics();

}  // namespace warpsim
