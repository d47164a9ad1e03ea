#include "grader/run/cost_model/rung_change.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "grader/record/counters/formula.h"
#include "grader/run/cost_model/line_changes.h"

namespace warpgrade {
namespace {

using warpsim::CostInputs;

using Member = double CostInputs::*;

/// Scales all of these counts by one factor.
template <Member... kMembers>
void scale(CostInputs& in, double factor) {
  ((in.*kMembers *= factor), ...);
}

/// How a changed counter affects the counts of all launches together. `value` is the new value.
struct Knob {
  std::string_view counter;
  void (*set)(CostInputs& all, double value);
};

double ratio(double value, double before) {
  return before > 0 ? value / before : 0;
}

template <Member kRequests, Member kWavefronts, Member kIdeal>
void set_shared(CostInputs& in, double value) {
  const double before = in.*kRequests;
  in.instructions += value - before;
  if (before > 0) {
    scale<kRequests, kWavefronts, kIdeal>(in, value / before);
  } else {
    in.*kRequests = in.*kWavefronts = in.*kIdeal = value;
  }
}

template <Member kMember>
void set_only(CostInputs& in, double value) {
  in.*kMember = value;
}

void set_atomics(CostInputs& in, double value) {
  scale_global_atomics(in, ratio(value, in.global_updates));
}

constexpr std::array kKnobs = {
    Knob{"global_load_requests",
         [](CostInputs& in, double value) { set_loads(in, value, in.global_load_sectors); }},
    Knob{"global_load_sectors",
         [](CostInputs& in, double value) { set_loads(in, in.global_load_requests, value); }},
    Knob{"global_store_requests",
         [](CostInputs& in, double value) { set_stores(in, value, in.global_store_sectors); }},
    Knob{"global_store_sectors",
         [](CostInputs& in, double value) { set_stores(in, in.global_store_requests, value); }},
    Knob{"l2_read_sectors",
         [](CostInputs& in, double value) {
           const double hits = in.global_load_sectors - std::min(value, in.global_load_sectors);
           in.global_load_hits = hits;
           in.l2_reads = value;
           in.dram_reads = std::min(in.dram_reads, value);
           in.l2_read_hits = value - in.dram_reads;
         }},
    Knob{"dram_read_sectors",
         [](CostInputs& in, double value) {
           in.dram_reads = value;
           in.l2_read_hits = std::max(0.0, in.l2_reads - value);
         }},
    Knob{"dram_write_sectors", set_only<&CostInputs::dram_writes>},
    Knob{"shared_load_requests",
         set_shared<&CostInputs::shared_load_requests, &CostInputs::shared_load_wavefronts,
                    &CostInputs::shared_load_ideal_wavefronts>},
    Knob{"shared_store_requests",
         set_shared<&CostInputs::shared_store_requests, &CostInputs::shared_store_wavefronts,
                    &CostInputs::shared_store_ideal_wavefronts>},
    Knob{"shared_load_wavefronts", set_only<&CostInputs::shared_load_wavefronts>},
    Knob{"shared_store_wavefronts", set_only<&CostInputs::shared_store_wavefronts>},
    Knob{"shared_atomic_requests",
         [](CostInputs& in, double value) {
           in.instructions += value - in.shared_atomic_requests;
           if (in.shared_atomic_requests > 0) {
             scale<&CostInputs::shared_atomic_requests, &CostInputs::shared_atomic_wavefronts>(
                 in, value / in.shared_atomic_requests);
           } else {
             in.shared_atomic_requests = in.shared_atomic_wavefronts = value;
           }
         }},
    Knob{"shared_atomic_wavefronts", set_only<&CostInputs::shared_atomic_wavefronts>},
    Knob{"global_atomic_lanes", set_atomics},
    Knob{"global_reduction_sectors",
         [](CostInputs& in, double value) {
           const double factor = ratio(value, in.reduction_sectors);
           scale<&CostInputs::reduction_sectors, &CostInputs::global_turns, &CostInputs::l2_atomics,
                 &CostInputs::hottest_atomics>(in, factor);
         }},
    Knob{"global_reduction_requests", set_only<&CostInputs::reduction_requests>},
    Knob{"global_atomic_requests", set_only<&CostInputs::atomic_requests>},
    Knob{"matches", set_only<&CostInputs::matches>},
    Knob{"warp_instructions", set_only<&CostInputs::instructions>},
    Knob{"warp_barriers",
         [](CostInputs& in, double value) {
           in.instructions += value - in.barriers;
           in.barriers = value;
         }},
    Knob{"flops_f32",
         [](CostInputs& in, double value) {
           in.f32 = value / 64;  // of warps, two operations per lane
         }},
    Knob{"flops_tensor",
         [](CostInputs& in, double value) {
           in.matrix_work = 2 * value;  // TF32 takes its pipe twice as long as f16
         }},
    Knob{"blocks", set_only<&CostInputs::blocks>},
    Knob{"warps", set_only<&CostInputs::warps>},
    Knob{"threads", [](CostInputs& in, double value) { in.warps = value / 32; }},
};

/// The longest launches remain and take over the work of the others.
void set_launches(LaunchCosts& costs, double value) {
  auto& groups = costs.groups();
  double launches = costs.sum().launches;
  const double wanted = std::max(1.0, std::round(value));
  if (wanted > launches) {
    // More launches divide the same work into more pieces.
    for (LaunchCosts::Group& group : groups) {
      group.inputs.launches *= wanted / launches;
    }
    return;
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const LaunchCosts::Group& a, const LaunchCosts::Group& b) {
                     return a.inputs.instructions / a.inputs.launches >
                            b.inputs.instructions / b.inputs.launches;
                   });
  while (launches > wanted && groups.size() > 1) {
    LaunchCosts::Group& last = groups.back();
    const double surplus = std::min(launches - wanted, last.inputs.launches);
    const double part = surplus / last.inputs.launches;
    CostInputs moved = last.inputs.scaled(part);
    last.inputs = last.inputs.scaled(1 - part);
    moved.launches = 0;
    moved.blocks = 0;  // it uses the blocks of the launch that takes over
    moved.warps = 0;
    groups.front().inputs += moved;
    launches -= surplus;
    if (part >= 1) {
      groups.pop_back();
    }
  }
  if (launches > wanted) {
    groups.front().inputs.launches -= launches - wanted;
  }
}

void set_occupancy(LaunchCosts& costs, double percent, double before) {
  for (LaunchCosts::Group& group : costs.groups()) {
    group.inputs.blocks_per_multiprocessor *= ratio(percent, before);
  }
}

/// Distributes a change of all launches' counts over their kernels.
void spread(LaunchCosts& costs, const CostInputs& before, const CostInputs& after) {
  const double instructions = before.instructions;
  for (LaunchCosts::Group& group : costs.groups()) {
    CostInputs& in = group.inputs;
    const double work = instructions > 0 ? in.instructions / instructions : 0;
    const double warps_per_block = in.warps / in.blocks;
    CostInputs changed = in;
    for (const warpsim::CostField& field : warpsim::cost_fields()) {
      const double was = before.*field.member;
      const double is = after.*field.member;
      if (!field.is_sum || was == is) {
        continue;
      }
      changed.*field.member = std::max(0.0, was > 0 ? in.*field.member * is / was : is * work);
    }
    // Only large launches get fewer blocks; a launch of a single block, which finishes their work,
    // stays.
    if (in.blocks <= in.launches) {
      changed.blocks = std::max(changed.blocks, in.blocks);
      changed.warps = std::max(changed.warps, in.warps);
    }
    in = changed;
    // A launch has an integral number of blocks; occupancy stays the same with larger or smaller
    // blocks.
    const double warps_fit = in.blocks_per_multiprocessor * warps_per_block;
    in.blocks = std::max(in.launches, std::round(in.blocks));
    in.warps = std::max(in.blocks, in.warps);
    in.blocks_per_multiprocessor = warps_fit * in.blocks / in.warps;
  }
}

}  // namespace

std::optional<LaunchCosts> change_counters(const LaunchCosts& costs,
                                           const std::vector<KernelReport>& kernels,
                                           const std::vector<CounterChange>& changes,
                                           const Dims& dims) {
  LaunchCosts changed = costs;
  const auto counter = [&](const CounterName& name) { return counter_value(name, kernels); };
  for (const CounterChange& change : changes) {
    double value = 0;
    try {
      value = evaluate_formula(change.value, dims, counter);
    } catch (const ExpressionError&) {
      return std::nullopt;
    }
    if (!(value >= 0)) {
      return std::nullopt;
    }
    if (change.counter == "launches") {
      set_launches(changed, value);
      continue;
    }
    if (change.counter == "theoretical_occupancy") {
      set_occupancy(changed, value, counter(*find_counter(change.counter)));
      continue;
    }
    const auto* const knob = std::find_if(
        kKnobs.begin(), kKnobs.end(), [&](const Knob& k) { return k.counter == change.counter; });
    if (knob == kKnobs.end()) {
      throw LabError(fmt::format(
          "the cost model does not take '{}', so a rung's `change` cannot set it", change.counter));
    }
    const CostInputs before = changed.sum();
    CostInputs after = before;
    knob->set(after, value);
    follow_counts(before, after);
    spread(changed, before, after);
  }
  return changed;
}

double gain_of_change(const Rung& rung, const Dims& dims, const EmulatorReport& own,
                      double all_ms) {
  if (rung.change.empty()) {
    return 0;
  }
  const std::optional<LaunchCosts> costs = LaunchCosts::of(own);
  if (!costs) {
    return 0;
  }
  const std::optional<LaunchCosts> changed =
      change_counters(*costs, own.kernels, rung.change, dims);
  if (!changed) {
    return 0;
  }
  const double rest = all_ms - own.total(kTimeMetric);
  return all_ms / (rest + changed->ms());
}

}  // namespace warpgrade
