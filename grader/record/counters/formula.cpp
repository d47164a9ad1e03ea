#include "grader/record/counters/formula.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/record/counters/emulator_report.h"

namespace warpgrade {
namespace {

double both_metrics(const KernelReport& kernel, const CounterName& counter) {
  const auto narrower = kernel.counters.find(std::string(counter.narrower));
  if (narrower != kernel.counters.end()) return narrower->second;
  return kernel.counter(counter.metric) +
         (counter.metric_too.empty() ? 0 : kernel.counter(counter.metric_too));
}

double product(const std::vector<std::uint64_t>& extents) {
  double value = 1;
  for (const std::uint64_t extent : extents) {
    value *= static_cast<double>(extent);
  }
  return value;
}

const KernelReport& costliest(const std::vector<KernelReport>& kernels) {
  return *std::max_element(kernels.begin(), kernels.end(),
                           [](const KernelReport& a, const KernelReport& b) {
                             return a.counter(kTimeMetric) < b.counter(kTimeMetric);
                           });
}

template <class Value>
double sum_over(const std::vector<KernelReport>& kernels, Value value) {
  double sum = 0;
  for (const KernelReport& kernel : kernels) {
    sum += value(kernel);
  }
  return sum;
}

}  // namespace

double counter_value(const CounterName& counter, const std::vector<KernelReport>& kernels) {
  if (kernels.empty()) return 0;
  switch (counter.scope) {
    case CounterScope::all_kernels:
      return sum_over(kernels, [&](const KernelReport& k) { return both_metrics(k, counter); });
    case CounterScope::costliest_kernel:
      return both_metrics(costliest(kernels), counter);
    case CounterScope::launches:
      return sum_over(kernels,
                      [](const KernelReport& k) { return static_cast<double>(k.launches); });
    case CounterScope::block_threads:
      return product(costliest(kernels).block);
    case CounterScope::largest_grid:
      break;
    case CounterScope::transfers:
    case CounterScope::timeline_time:
    case CounterScope::timeline_overlap:
      return 0;  // of the run
  }
  double most = 0;
  for (const KernelReport& kernel : kernels) {
    most = std::max(most, product(kernel.grid));
  }
  return most;
}

double counter_value(const CounterName& counter, const EmulatorReport& report,
                     const std::vector<KernelReport>& kernels) {
  constexpr double kMicroseconds = 1000;  // of a millisecond
  switch (counter.scope) {
    case CounterScope::transfers: {
      const auto found = report.transfers.find(std::string(counter.metric));
      return found == report.transfers.end() ? 0 : found->second;
    }
    case CounterScope::timeline_time:
      return report.timeline ? kMicroseconds * report.timeline->ms : 0;
    case CounterScope::timeline_overlap:
      return report.timeline ? kMicroseconds * report.timeline->overlap_ms : 0;
    default:
      return counter_value(counter, kernels);
  }
}

double counter_of_all_work(const CounterName& counter, const EmulatorReport& report) {
  struct OfCopies {
    std::string_view counter;
    const char* of_copies;
  };
  constexpr OfCopies kOfCopies[] = {{"global_load_requests", "device_copy_requests"},
                                    {"global_load_sectors", "device_copy_sectors_read"},
                                    {"global_store_requests", "device_copy_requests"},
                                    {"global_store_sectors", "device_copy_sectors_written"}};
  double value = counter_value(counter, report, report.kernels);
  for (const OfCopies& known : kOfCopies) {
    const auto found = report.transfers.find(known.of_copies);
    if (counter.name == known.counter && found != report.transfers.end()) value += found->second;
  }
  return value;
}

std::map<std::string, double> counter_values(const EmulatorReport& report) {
  std::map<std::string, double> values;
  for (const CounterName& counter : counter_names()) {
    values.emplace(counter.name, counter_of_all_work(counter, report));
  }
  return values;
}

double evaluate_formula(const Expression& formula, const Dims& dims,
                        const std::function<double(const CounterName&)>& counter) {
  return formula.evaluate([&](std::string_view name) -> double {
    if (const auto it = dims.find(std::string(name)); it != dims.end()) {
      return static_cast<double>(it->second);
    }
    if (const CounterName* known = find_counter(name)) {
      return counter(*known);
    }
    throw ExpressionError(fmt::format("'{}' is neither a size nor a counter", name));
  });
}

}  // namespace warpgrade
