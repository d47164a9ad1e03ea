#include "grader/judge/speed/speed.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "grader/core/text.h"
#include "grader/judge/speed/rung.h"
#include "grader/run/cost_model/launch_costs.h"
#include "grader/run/cost_model/what_if.h"

namespace warpgrade {
namespace {

using warpsim::CostInputs;
using warpsim::TimeCause;
using warpsim::TimeSplit;

constexpr std::size_t kMostGains = 6;
constexpr std::size_t kMostAccesses = 6;
constexpr std::size_t kMostNotes = 20;

double sectors_asked(const CostInputs& in) {
  return in.global_load_sectors + in.global_store_sectors;
}
double sectors_needed(const CostInputs& in) {
  return in.global_load_ideal_sectors + in.global_store_ideal_sectors;
}

std::vector<TimePart> parts_of(const LaunchCosts& costs) {
  TimeSplit split;
  for (const LaunchCosts::Group& group : costs.groups()) {
    split += warpsim::split_time(group.inputs, costs.card());
  }
  std::vector<TimePart> parts;
  for (std::size_t i = 0; i < warpsim::kTimeCauses; ++i) {
    const double ms = costs.scale() * split.ms[i];
    if (ms > 0) {
      parts.push_back({std::string(warpsim::name_of(static_cast<TimeCause>(i))), ms});
    }
  }
  return parts;
}

/// The lines with the most memory traffic, by their time.
std::vector<AccessLine> accesses_of(const EmulatorReport& report) {
  std::vector<AccessLine> accesses;
  for (const KernelReport& kernel : report.kernels) {
    for (const KernelLine& line : kernel.lines) {
      if (is_own(line.file) && sectors_asked(line.cost) > 0) {
        const auto time = line.counters.find(kTimeMetric);
        accesses.push_back({.kernel = kernel.name,
                            .file = line.file,
                            .line = line.line,
                            .ms = time == line.counters.end() ? 0 : time->second,
                            .sectors_asked = sectors_asked(line.cost),
                            .sectors_needed = sectors_needed(line.cost)});
      }
    }
  }
  std::stable_sort(accesses.begin(), accesses.end(),
                   [](const AccessLine& a, const AccessLine& b) { return a.ms > b.ms; });
  accesses.resize(std::min(accesses.size(), kMostAccesses));
  return accesses;
}

/// Every function of the contract has to launch, and so has every device that a lab is about.
std::size_t least_launches(const Lab& lab) {
  return std::max<std::size_t>(1, lab.steps.size()) *
         static_cast<std::size_t>(std::max(1, lab.devices));
}

OccupancyNote occupancy_of(const EmulatorReport& report, const LaunchCosts& costs, std::size_t k) {
  const KernelReport& kernel = report.kernels[k];
  OccupancyNote note{.kernel = kernel.name,
                     .percent = kernel.counter("sm__maximum_warps_per_active_cycle_pct"),
                     .limiter = kernel.occupancy_limiter,
                     .times_faster = gain_of_full_occupancy(report, costs, k),
                     .comment = {}};
  const CostInputs sum = costs.sum(k);
  const double fit = kernel.counter("blocks_per_multiprocessor") * costs.card().multiprocessors;
  const double blocks = sum.launches > 0 ? sum.blocks / sum.launches : 0;
  if (note.percent >= 99.5) {
    note.comment = "Occupancy is not limited.";
  } else if (note.times_faster >= kLeastGain) {
    note.comment =
        fmt::format("Limited by {}, which matters here: {:.1f} times faster at full occupancy.",
                    note.limiter, note.times_faster);
  } else {
    note.comment = fmt::format("Limited by {}, which hardly matters here.", note.limiter);
  }
  if (blocks > 0 && blocks < fit) {
    note.comment = fmt::format(
        "Limited by {}, but a launch has only {:.0f} blocks and {:.0f} fit on the device: it does "
        "not matter here.",
        note.limiter, blocks, fit);
  }
  return note;
}

/// Milliseconds in which a kernel runs and no copy does: the most that faster kernels can save of a
/// call that overlaps them.
double kernels_alone(const std::vector<TimelineBar>& bars) {
  std::vector<std::pair<double, int>> steps;  // when, and +-1 for a kernel, +-kCopy for a copy
  constexpr int kCopy = 1 << 16;
  for (const TimelineBar& bar : bars) {
    if (bar.lane.find("engine") == std::string::npos) continue;
    const int step = bar.kind == "kernel" ? 1 : bar.kind == "copy" ? kCopy : 0;
    steps.emplace_back(bar.begin_ms, step);
    steps.emplace_back(bar.end_ms, -step);
  }
  std::sort(steps.begin(), steps.end());
  double alone = 0;
  int running = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (running > 0 && running < kCopy) alone += steps[i].first - steps[i - 1].first;
    running += steps[i].second;
  }
  return alone;
}

}  // namespace

void measure_on_timeline(SpeedReport& speed) {
  const double alone = kernels_alone(speed.timeline);
  for (WhatIf& gain : speed.what_if) {
    const double saved = std::min(speed.ms - gain.ms, alone);
    gain.ms = speed.timeline_ms - saved;
    gain.times_faster = gain.ms > 0 ? speed.timeline_ms / gain.ms : 1;
    gain.condition += ", copies included";
  }
  // One launch for several would have to wait for all of their copies.
  std::erase_if(speed.what_if, [&](const WhatIf& gain) {
    return gain.times_faster < kLeastGain || (gain.change == "one-launch" && speed.overlap_ms > 0);
  });
  std::stable_sort(
      speed.what_if.begin(), speed.what_if.end(),
      [](const WhatIf& a, const WhatIf& b) { return a.times_faster > b.times_faster; });
}

std::optional<SpeedReport> speed_of(const Evidence& evidence) {
  const CaseOutcome* outcome = evidence.find_case(evidence.lab->performance_case);
  if (outcome == nullptr || outcome->report.verdict != CaseVerdict::passed || !outcome->emulator) {
    return std::nullopt;
  }
  const EmulatorReport& report = *outcome->emulator;
  const std::optional<LaunchCosts> costs = LaunchCosts::of(report);
  if (!costs) {
    return std::nullopt;
  }
  SpeedReport speed{.name = outcome->report.name,
                    .ms = costs->ms(),
                    .parts = parts_of(*costs),
                    .accesses = accesses_of(report),
                    .what_if = what_if(report, *costs, least_launches(*evidence.lab)),
                    .occupancy = {}};
  const bool on_timeline = evidence.lab->times_timeline && report.timeline;
  if (report.timeline) {
    speed.timeline_ms = report.timeline->ms;
    speed.overlap_ms = report.timeline->overlap_ms;
    speed.timeline = report.timeline->bars;
  }
  if (on_timeline) measure_on_timeline(speed);
  if (const std::optional<RungReport> rung = find_rung(evidence);
      rung && rung->next_times_faster >= kLeastGain) {
    WhatIf next{.change = "next-rung",
                .condition = fmt::format("it implemented the next rung of the ladder (\"{}\")",
                                         rung->next_title),
                .pitfall = {},
                .kernel = {},
                .file = {},
                .line = 0,
                .ms = (on_timeline ? speed.timeline_ms : speed.ms) / rung->next_times_faster,
                .times_faster = rung->next_times_faster};
    const auto place =
        std::find_if(speed.what_if.begin(), speed.what_if.end(),
                     [&](const WhatIf& gain) { return gain.times_faster <= next.times_faster; });
    speed.what_if.insert(place, std::move(next));
  }
  speed.what_if.resize(std::min(speed.what_if.size(), kMostGains));
  for (std::size_t k = 0; k < std::min(report.kernels.size(), kMostNotes); ++k) {
    speed.occupancy.push_back(occupancy_of(report, *costs, k));
  }
  return speed;
}

std::string gain_words(const WhatIf& gain) {
  return fmt::format("{:.1f} times faster if {}{}", gain.times_faster, gain.condition,
                     gain.pitfall.empty() ? "" : " (" + gain.pitfall + ")");
}

std::string split_words(const SpeedReport& speed) {
  std::vector<TimePart> parts = speed.parts;
  std::stable_sort(parts.begin(), parts.end(),
                   [](const TimePart& a, const TimePart& b) { return a.ms > b.ms; });
  std::string text;
  for (const TimePart& part : parts) {
    const double percent = speed.ms > 0 ? 100 * part.ms / speed.ms : 0;
    if (percent >= 1) {
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", part.cause, percent);
    }
  }
  return text;
}

}  // namespace warpgrade
