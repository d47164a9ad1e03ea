#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"

namespace warpsim {

/// Branches of a function that are none on a card, by instruction index: `ptxas` gives a few
/// instructions that a branch skips, or the few of either side of an `if` with `else`, the branch's
/// condition as their guard, and they become part of the basic block around them. So the loads of
/// several bounds checks are in flight together.
struct Predication {
  std::vector<bool> removed;  // the branches
  /// Of an instruction that has become conditional so: the branches that decide about it.
  std::vector<std::vector<std::uint32_t>> guards;
};
[[nodiscard]] Predication predicate(const ptx::Function& function);

}  // namespace warpsim
