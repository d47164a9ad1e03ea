#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"

namespace warpsim {

/// What one resource of the card would need for a launch, were it alone.
struct CostTerm {
  std::string_view name;  // "DRAM", "shared memory", "latency", ...
  double seconds = 0;
};

/// The terms that modelled_milliseconds weighs, in a fixed order.
[[nodiscard]] std::vector<CostTerm> cost_terms(const KernelCounters& launch, const Card& card);

/// A deterministic time for a launch on a card, from its counters: the longest of the terms, a part
/// of the others, as they overlap only in part, and what a launch costs. For ratios between kernels
/// on the same data, not a prediction in milliseconds; docs/emulator.md has the terms.
/// @param launch  counters of a single launch
[[nodiscard]] double modelled_milliseconds(const KernelCounters& launch, const Card& card);

}  // namespace warpsim
