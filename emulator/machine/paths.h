#pragma once

#include <cstdint>
#include <vector>

#include "emulator/ptx/module.h"

namespace warpsim {

/// Where instruction `index` may branch to: indices of instructions, or their number for the end.
[[nodiscard]] std::vector<std::uint32_t> branch_targets(const ptx::Function& function,
                                                        std::uint32_t index);
/// Control does not continue with the next instruction: it branches, returns or ends the thread.
[[nodiscard]] bool ends_block(const ptx::Instruction& instruction);
/// Control may continue with the next instruction.
[[nodiscard]] bool falls_through(const ptx::Instruction& instruction);

/// Whether a thread may come from after instruction `from` to instruction `to` without waiting at
/// a barrier of the block. Barriers of functions that are called are not seen.
[[nodiscard]] bool reaches_without_barrier(const ptx::Function& function, std::uint32_t from,
                                           std::uint32_t to);

}  // namespace warpsim
