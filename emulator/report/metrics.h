#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "emulator/counters/counters.h"

namespace warpsim {

using MetricValue = std::variant<std::uint64_t, double>;

/// A counter under the name that a report gives it: ncu's metric name where ncu has the counter,
/// a plain word where it has not.
template <class Source>
struct Metric {
  std::string_view name;
  MetricValue (*value)(const Source&);
};

/// Metrics of kernels, source lines and instructions, in the order of the report. Adding a counter
/// is adding a row.
[[nodiscard]] std::span<const Metric<Totals>> all_metrics();
/// Metrics that only a whole kernel has.
[[nodiscard]] std::span<const Metric<KernelCounters>> kernel_metrics();

}  // namespace warpsim
