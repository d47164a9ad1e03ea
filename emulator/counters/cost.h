#pragma once

#include "emulator/counters/counters.h"
#include "emulator/device/card.h"

namespace warpsim {

/// A deterministic time for a launch on a card, from its counters: the largest of what memory,
/// issue slots, shared memory and atomics would need at the card's rates, plus launch overhead.
/// For ratios between kernels on the same data, not a prediction in milliseconds.
[[nodiscard]] double modelled_milliseconds(const KernelCounters& launch, const Card& card);

}  // namespace warpsim
