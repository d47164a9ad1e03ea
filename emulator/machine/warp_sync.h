#pragma once

#include <cstdint>

#include "emulator/isa/warp.h"

namespace warpsim {

/// Inst::flags of a `_sync` operation whose mask is what activemask gave.
constexpr std::uint8_t kActiveMaskDerived = 0x80;

/// A `_sync` operation, and what the fields of its instructions are: bytes of a lane's register, 0
/// for none.
struct SyncOperation {
  static constexpr std::uint8_t kPredicate = 1;
  std::uint8_t a = 0, b = 0, c = 0;  // sources
  std::uint8_t imm = 0;  // a source whose slot is in Inst::imm
  std::uint8_t d = 0, d2 = 0;  // results
  bool negates = false;  // Inst::aux says that the predicate `a` is negated
  Handler run = nullptr;
};

/// Makes the lanes named in `members` meet at a `_sync` instruction.
///
/// @param operation  of the instruction, if its members may be at different instructions that do
/// the
///                   same, as in both branches of an `if`, or in copies that a compiler made of a
///                   loop's body: an H200 lets them meet (measured, 2026-11-30). One object for
///                   each operation. Null: at one instruction.
/// @returns nullptr when every member that has not exited is active now, so that the instruction
///          can execute for the active lanes; otherwise what the handler has to return: the split
///          waits at `in` and executes it again when the others have arrived, or it has been
///          executed for all of them.
[[nodiscard]] const Inst* sync_lanes(Warp& warp, const Inst& in, std::uint32_t members,
                                     const SyncOperation* operation = nullptr);

/// The active lanes name different sets: some of them execute `in` first, and wait behind it for
/// the others. @returns what the handler has to return
[[nodiscard]] const Inst* part_lanes(Warp& warp, const Inst& in, std::uint32_t first);

/// bar.warp.sync: as sync_lanes, but lanes may wait at different instructions, and it is done when
/// all have arrived. @returns what the handler has to return
[[nodiscard]] const Inst* sync_warp(Warp& warp, const Inst& in, std::uint32_t members);

/// The active lanes as the program may see them (activemask).
[[nodiscard]] inline std::uint32_t active_lanes(const Warp& warp) {
  return warp.active;
}

}  // namespace warpsim
