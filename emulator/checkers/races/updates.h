#pragma once

#include <cstdint>

#include "emulator/checkers/races/site.h"

// Stores of values that are computed from what was in their place: what the text says of them.

namespace warpsim {

/// The address that a load or a store names, as written: a register or a name, and a constant. Null
/// for other instructions. @param index  in the program
[[nodiscard]] const ptx::Operand* access_address(const Program& program, std::uint32_t index);

/// The site is of a plain store to the address that the same thread loaded from: `*count += 1`.
[[nodiscard]] bool updates_in_place(const RaceSite& store);

/// Whether lanes that store one value to one place with one instruction, each of which read the
/// place before, lose each other's updates: whether each made the value on its own, of what was
/// there. A value that does not depend on that, or to which the lanes of the warp or memory
/// contributed, is one that they agree on: a flag, or the sum of what a warp adds.
///
/// Reads that nothing orders with the stores are races, whatever this says.
[[nodiscard]] bool loses_own_updates(const RaceSite& store, const RaceSite& read);

}  // namespace warpsim
