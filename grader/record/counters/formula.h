#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/grade/grade.h"
#include "harness/core/expression.h"
#include "harness/data/dataset.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {

/// The value of a lab's counter over the kernels of one run; 0 if no kernel ran.
/// Transfers and the timeline are the run's, not kernels', and count as 0 here.
[[nodiscard]] double counter_value(const CounterName& counter,
                                   const std::vector<KernelReport>& kernels);
/// The same over the kernels, transfers and timeline of a run. @param kernels  of the report, or a
/// part
[[nodiscard]] double counter_value(const CounterName& counter, const EmulatorReport& report,
                                   const std::vector<KernelReport>& kernels);

/// All work of a run: kernels, and copies within the device, which count as loads and stores of
/// whole warps. Memsets do not: an output may be cleared first.
[[nodiscard]] double counter_of_all_work(const CounterName& counter, const EmulatorReport& report);

/// Counter of the modelled nanoseconds that copies and memsets within the device took.
inline constexpr const char* kDeviceMoves = "device_move_ns";

/// Every counter that a formula may name, by that name.
[[nodiscard]] std::map<std::string, double> counter_values(const EmulatorReport& report);

/// A formula's value over the dims of a case and the counters of a run.
/// @param counter  a counter's value
/// @throws ExpressionError  on division by zero, or for a name that is neither
[[nodiscard]] double evaluate_formula(const Expression& formula, const Dims& dims,
                                      const std::function<double(const CounterName&)>& counter);

}  // namespace warpgrade
