#include "grader/run/cost_model/line_times.h"

#include "grader/run/cost_model/launch_costs.h"

namespace warpgrade {
namespace {

using warpsim::CostInputs;
using warpsim::CostPart;

constexpr double kMilli = 1e3;

}  // namespace

void add_line_times(EmulatorReport& report) {
  const std::optional<LaunchCosts> costs = LaunchCosts::of(report);
  if (!costs) {
    return;
  }
  for (std::size_t k = 0; k < report.kernels.size(); ++k) {
    const CostInputs whole = costs->sum(k);
    for (const LaunchCosts::Group& group : costs->groups()) {
      if (group.kernel != k) {
        continue;
      }
      for (const CostPart& part : warpsim::time_by_count(group.inputs, costs->card())) {
        const double all = part.count(whole);
        for (KernelLine& line : report.kernels[k].lines) {
          const double share = all > 0 ? part.count(line.cost) / all : 0;
          if (share > 0) {
            // Each line of the kernel gets its share of the time that all groups spend on this
            // count.
            line.counters[kTimeMetric] += costs->scale() * kMilli * part.seconds * share;
          }
        }
      }
    }
  }
}

}  // namespace warpgrade
