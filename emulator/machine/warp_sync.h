#pragma once

#include <cstdint>

#include "emulator/isa/warp.h"

namespace warpsim {

/// Inst::flags of a `_sync` operation whose mask is what activemask gave.
constexpr std::uint8_t kActiveMaskDerived = 0x80;

/// Makes the lanes named in `members` meet at a `_sync` instruction.
///
/// @returns nullptr when every member that has not exited is active now, so that the instruction
///          can execute for the active lanes; otherwise what the handler has to return: the split
///          waits at `in` and executes it again when the others have arrived.
[[nodiscard]] const Inst* sync_lanes(Warp& warp, const Inst& in, std::uint32_t members);

/// bar.warp.sync: as sync_lanes, but lanes may wait at different instructions, and it is done when
/// all have arrived. @returns what the handler has to return
[[nodiscard]] const Inst* sync_warp(Warp& warp, const Inst& in, std::uint32_t members);

/// The active lanes as the program may see them (activemask).
[[nodiscard]] inline std::uint32_t active_lanes(const Warp& warp) {
  return warp.active;
}

}  // namespace warpsim
