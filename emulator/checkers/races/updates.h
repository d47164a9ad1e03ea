#pragma once

#include <cstdint>

#include "emulator/checkers/races/site.h"

// Stores of values that are computed from what was in their place: what the text says of them.

namespace warpsim {

/// The address that a load or a store names, as written: a register or a name, and a constant. Null
/// for other instructions. @param index  in the program
[[nodiscard]] const ptx::Operand* access_address(const Program& program, std::uint32_t index);

/// How the value that a thread loads from a place bears on what it stores there.
enum class UpdateForm : std::uint8_t {
  none,  // it does not, or the thread does not load it
  tested,  // it decides whether the thread stores: `if (*level < 0) *level = 1`
  limit,  // so, by a comparison with what is stored: `if (x < *least) *least = x`
  computed,  // the stored value is made of it: `*count += 1`
};

/// Of a plain store. Where the text does not show what the value is made of, as that of a function
/// which is called, it counts as computed.
[[nodiscard]] UpdateForm update_form(const RaceSite& store);

/// Whether lanes that store one value to one place with one instruction, each of which read the
/// place before, lose each other's updates: whether each made the value on its own, of what was
/// there. A value that does not depend on that, or to which the lanes of the warp or memory
/// contributed, is one that they agree on: a flag, or the sum of what a warp adds.
///
/// Reads that nothing orders with the stores are races, whatever this says.
[[nodiscard]] bool loses_own_updates(const RaceSite& store, const RaceSite& read);

}  // namespace warpsim
