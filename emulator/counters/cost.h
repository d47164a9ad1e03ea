#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/counters/cost_inputs.h"
#include "emulator/counters/counters.h"
#include "emulator/device/card.h"

namespace warpsim {

/// What a launch costs that does nothing.
inline constexpr double kLaunchSeconds = 2.5e-6;

/// What a launch's time goes to.
enum class TimeCause : std::uint8_t {
  launches,  // starting kernels and blocks
  global_memory,  // sectors of global and local accesses, through both caches and the device's
                  // memory
  shared_memory,  // wavefronts
  instructions,  // issue slots, arithmetic and special function units
  barriers,  // warps that wait at a barrier of their block
  waiting,  // warps that wait for a result
  atomics,  // updates one after the other, in global and in shared memory
  tail,  // the last round of blocks does not fill the card
  idle,  // fewer blocks than multiprocessors, or too few warps to hide what warps wait for
};
inline constexpr std::size_t kTimeCauses = 9;
/// "global memory"
[[nodiscard]] std::string_view name_of(TimeCause cause);

/// A share of a term that goes with one count: a source line has as much of it as of the count.
struct CostPart {
  TimeCause cause = TimeCause::instructions;
  /// The count, of a launch or of a line; null where no line has a share.
  double (*count)(const CostInputs& inputs) = nullptr;
  double seconds = 0;
};

/// What one resource of the card would need for a launch, were it alone.
struct CostTerm {
  std::string_view name;  // "DRAM", "shared memory", "latency", ...
  double seconds = 0;
  std::vector<CostPart> parts = {};  // sum to `seconds`
};

/// What a launch is like, as far as its shape goes.
struct LaunchShape {
  double rounds = 1;  // blocks of the multiprocessor that gets most
  double share = 1;  // of all the work, that it gets
  double resident = 1;  // blocks that it has at a time
  double active_warps = 1;  // warps
};
[[nodiscard]] LaunchShape shape_of(const CostInputs& launch, const Card& card);

/// The terms that modelled_milliseconds weighs, in a fixed order.
/// @param launch  of a single launch
[[nodiscard]] std::vector<CostTerm> cost_terms(const CostInputs& launch, const LaunchShape& shape,
                                               const Card& card);

/// A deterministic time for a launch on a card, from its counters: the longest of the terms, a part
/// of the others, as they overlap only in part, and what a launch costs. For ratios between kernels
/// on the same data, not a prediction in milliseconds; docs/cost-model.md has the terms.
/// @param launch  counters of a single launch
[[nodiscard]] double modelled_milliseconds(const KernelCounters& launch, const Card& card);

/// The same of several launches alike, by the average of them.
/// @return milliseconds of all of them; 0 for none
[[nodiscard]] double modelled_milliseconds(const CostInputs& launches, const Card& card);

/// Where the time of launches alike goes, by cause, in milliseconds. The sum is
/// modelled_milliseconds(): `tail` and `idle` are what an even distribution and a full
/// multiprocessor would take away, the rest is by the terms of a launch that has both.
struct TimeSplit {
  double ms[kTimeCauses] = {};
  [[nodiscard]] double of(TimeCause cause) const { return ms[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] double total() const;
  void operator+=(const TimeSplit& other);
};
[[nodiscard]] TimeSplit split_time(const CostInputs& launches, const Card& card);

/// The same time by what lines have a share of: seconds of all launches, beside what starting them
/// costs. `tail` and `idle` are in the parts that they prolong.
[[nodiscard]] std::vector<CostPart> time_by_count(const CostInputs& launches, const Card& card);

}  // namespace warpsim
