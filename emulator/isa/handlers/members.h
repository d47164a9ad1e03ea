#pragma once

// Member masks of `_sync` instructions.

#include "emulator/isa/handlers/bind.h"
#include "emulator/machine/context.h"
#include "emulator/machine/warp_sync.h"

namespace warpsim::WARPSIM_SIMD {

/// Waits until the lanes that the mask in `slot` names are here. A mask is a register like any
/// other, so lanes may name different sets: then they part, and each set executes it for itself.
///
/// @param operation  of the instruction: see sync_lanes
/// @returns nullptr when the instruction can execute, and all active lanes (and no others) are its
///          members; otherwise what the handler has to return
[[nodiscard]] inline const Inst* wait_for_members(Warp& w, const Inst& in, s32 slot,
                                                  const SyncOperation& operation) {
  const u32* masks = w.reg<u32>(slot);
  const u32 members = masks[__builtin_ctz(w.active)];
  u32 differences = 0;
  for (u32 i = 0; i < kWarpSize; ++i) {
    differences |= (w.active >> i) & 1 ? masks[i] ^ members : 0;
  }
  if (differences == 0) [[likely]]
    return sync_lanes(w, in, members, &operation);
  u32 split = 0;
  for_each_lane(w.active, [&](int i) { split |= masks[i] == members ? 1u << i : 0; });
  return part_lanes(w, in, split);
}

}  // namespace warpsim::WARPSIM_SIMD
