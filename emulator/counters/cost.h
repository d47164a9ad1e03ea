#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "emulator/counters/cost_inputs.h"
#include "emulator/counters/counters.h"
#include "emulator/device/card.h"

namespace warpsim {

/// The cost of an empty launch.
inline constexpr double kLaunchSeconds = 2.5e-6;

/// Of the data sheet's memory bandwidth, what kernels, copies and memsets reach. Fitted to kernels;
/// an H200 copies at 0.89 of it (docs/performance.md).
inline constexpr double kMemoryEfficiency = 0.9;

/// The causes to which a launch's time is attributed.
enum class TimeCause : std::uint8_t {
  launches,  // starting kernels and blocks
  global_memory,  // sectors of global and local accesses, through both caches and the device's
                  // memory
  shared_memory,  // wavefronts
  instructions,  // issue slots, arithmetic and special function units
  barriers,  // warps that wait at a barrier of their block
  waiting,  // warps that wait for a result
  atomics,  // serialized updates, in global and shared memory
  tail,  // the last wave of blocks does not fill the card
  idle,  // fewer blocks than multiprocessors, or too few warps to hide latency
};
inline constexpr std::size_t kTimeCauses = 9;
inline constexpr std::array<std::string_view, kTimeCauses> kTimeCauseNames = {
    "launches", "global memory", "shared memory", "instructions", "barriers",
    "waiting",  "atomics",       "tail",          "idle"};
/// "global memory"
[[nodiscard]] std::string_view name_of(TimeCause cause);

/// A part of a term proportional to one count: a source line's share of the part is its share of
/// the count.
struct CostPart {
  TimeCause cause = TimeCause::instructions;
  /// The count, of a launch or a line; null if it belongs to no line.
  double (*count)(const CostInputs& inputs) = nullptr;
  double seconds = 0;
};

/// The time that one resource of the card alone would need for a launch.
struct CostTerm {
  std::string_view name;  // "DRAM", "shared memory", "latency", ...
  double seconds = 0;
  std::vector<CostPart> parts = {};  // sum to `seconds`
};

/// How a launch's blocks are distributed over the card.
struct LaunchShape {
  double rounds = 1;  // blocks of the busiest multiprocessor
  double share = 1;  // its share of all work
  double resident = 1;  // its resident blocks
  double active_warps = 1;  // warps
};
[[nodiscard]] LaunchShape shape_of(const CostInputs& launch, const Card& card);

/// The terms that modelled_milliseconds weighs, in a fixed order.
/// @param launch  of a single launch
[[nodiscard]] std::vector<CostTerm> cost_terms(const CostInputs& launch, const LaunchShape& shape,
                                               const Card& card);

/// A deterministic time for a launch on a card, from its counters: the longest of the terms, a part
/// of the others, because they overlap only partially, and the cost of a launch. For ratios between
/// kernels on the same data, not a prediction in milliseconds; docs/cost-model.md has the terms.
/// @param launch  counters of a single launch
[[nodiscard]] double modelled_milliseconds(const KernelCounters& launch, const Card& card);

/// The same for several equal launches, from their average.
/// @return milliseconds of all of them; 0 for none
[[nodiscard]] double modelled_milliseconds(const CostInputs& launches, const Card& card);

/// The time of equal launches by cause, in milliseconds. The sum is modelled_milliseconds(): `tail`
/// and `idle` are what an even distribution and full occupancy would save, the rest is divided by
/// the terms of a launch that has both.
struct TimeSplit {
  double ms[kTimeCauses] = {};
  [[nodiscard]] double of(TimeCause cause) const { return ms[static_cast<std::size_t>(cause)]; }
  [[nodiscard]] double total() const;
  void operator+=(const TimeSplit& other);
};
[[nodiscard]] TimeSplit split_time(const CostInputs& launches, const Card& card);

/// The same time in parts that belong to lines: seconds of all launches, without the cost of
/// starting them. `tail` and `idle` are in the parts that they prolong.
[[nodiscard]] std::vector<CostPart> time_by_count(const CostInputs& launches, const Card& card);

}  // namespace warpsim
