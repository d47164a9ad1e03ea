#pragma once

#include <cstdint>

#include "emulator/machine/context.h"

// The instructions after which a kernel counts as one that never ends. Each warp has a budget; and
// since a loop that never ends is often one of all threads, the warps that run together have one,
// too, or a block of 32 warps would take 32 times as long to be stopped.

namespace warpsim {

/// Warp instructions after which a warp is taken to be in a loop that does not end: far above what
/// a lab's longest thread needs, and reached in seconds.
constexpr std::uint64_t kDefaultBudget = std::uint64_t{1} << 28;

/// Budgets of one warp that all warps of the blocks that run together may use up.
constexpr std::uint64_t kSharedBudgets = 4;

/// Jumps back, as WarpContext::backward counts them, between two looks at what the warps that run
/// together have executed.
constexpr std::uint32_t kJumpsBetweenLooks = 1u << 12;
/// A warp that spins gives way before that. It looks at some of these moments, as there may be many
/// warps to look at.
[[nodiscard]] inline bool looks_when_giving_way(const WarpContext& context) {
  return context.executed % 61 == 0;
}

/// Whether the warp's own budget, or that of those that run together, is used up: those of its
/// cluster, and where the launch runs on one host thread whatever the options say, those of all
/// blocks that have started and not ended. So it does not depend on how many host threads there
/// are.
[[nodiscard]] bool uses_up_budget(const WarpContext& context);

/// What the warps of all blocks have executed that have started and not ended.
[[nodiscard]] std::uint64_t executed_by_resident(const Worker& worker);

}  // namespace warpsim
