#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <variant>

#include "emulator/counters/counters.h"
#include "emulator/machine/launch.h"

namespace warpsim {

using MetricValue = std::variant<std::uint64_t, double>;

/// The name in `--check` that a counter needs.
enum class Needs : std::uint8_t { nothing, counters, cache };

/// A counter and its name in reports: ncu's metric name if ncu has the counter, otherwise a plain
/// word.
template <class Source>
struct Metric {
  std::string_view name;
  MetricValue (*value)(const Source&);
  Needs needs = Needs::nothing;
};

/// Metrics of kernels, source lines and instructions, in the order of the report. To add a counter,
/// add a row.
[[nodiscard]] std::span<const Metric<Totals>> all_metrics();
/// Whether a run with these options has counted a metric with these needs.
[[nodiscard]] bool is_counted(Needs needs, const CheckOptions& checks);

/// Metrics that only a whole kernel has.
[[nodiscard]] std::span<const Metric<KernelCounters>> kernel_metrics();

}  // namespace warpsim
