#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "emulator/counters/counters.h"
#include "emulator/machine/launch.h"

namespace warpsim {

using MetricValue = std::variant<std::uint64_t, double>;

/// Which of `--check`'s names a counter needs to be more than 0.
enum class Needs : std::uint8_t { nothing, counters, cache };

/// A counter under the name that a report gives it: ncu's metric name where ncu has the counter,
/// a plain word where it has not.
template <class Source>
struct Metric {
  std::string_view name;
  MetricValue (*value)(const Source&);
  Needs needs = Needs::nothing;
};

/// Metrics of kernels, source lines and instructions, in the order of the report. Adding a counter
/// is adding a row.
[[nodiscard]] std::span<const Metric<Totals>> all_metrics();
/// Whether a run with these options counted what a metric with these needs shows.
[[nodiscard]] bool is_counted(Needs needs, const CheckOptions& checks);

/// Metrics that only a whole kernel has.
[[nodiscard]] std::span<const Metric<KernelCounters>> kernel_metrics();

}  // namespace warpsim
