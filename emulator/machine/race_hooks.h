#pragma once

#include <cstdint>

#include "emulator/checkers/race_access.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/faults.h"

// What instructions tell the race checker. Call these only when there is one: `block.races` and
// `launch.races` are null when races are not checked.

namespace warpsim {

struct LaneShape;
struct WarpContext;

/// Lanes are about to access shared memory. The launch's checks and bounds are settled.
/// @param offset  32 offsets in shared memory
/// @param values  of a store, else null; its lanes' memory still holds what was there
void race_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);

/// The same for addresses that may name a block of the cluster (kClusterStride).
/// @param address  32 of them, relative to the shared window
void race_shared_window(WarpContext& context, const Inst& in, const std::uint64_t* address,
                        std::uint32_t lanes, std::uint32_t width, AccessType type,
                        const StoredValues* values);

/// The same for a weak load of lanes that have a shape. @param first  the first active lane's
/// offset
void race_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                      const LaneShape& shape, std::uint32_t width);
/// The same for a store of lanes that have a shape.
void race_shared_store(WarpContext& context, const Inst& in, std::uint32_t first,
                       const LaneShape& shape, std::uint32_t width, const StoredValues& values);

/// Likewise of global memory. @param address  32 device addresses
void race_global(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes, std::uint32_t width, AccessType type,
                 const StoredValues* values);
/// The same for a weak load or store of lanes that have a shape.
/// @param first  the first active lane's address
/// @param address  32 device addresses, of a store; else null, as `values`
void race_global(WarpContext& context, const Inst& in, std::uint64_t first, const LaneShape& shape,
                 std::uint32_t width, const std::uint64_t* address, const StoredValues* values);
/// Likewise of generic addresses, of any window.
void race_generic(WarpContext& context, const Inst& in, const std::uint64_t* address,
                  std::uint32_t lanes, std::uint32_t width, AccessType type,
                  const StoredValues* values);

/// Lanes execute membar or fence.
void race_fence(WarpContext& context, const Inst& in);

/// The lanes in `members` met at a `.sync` instruction of their warp.
void race_sync_lanes(WarpContext& context, std::uint32_t members);

}  // namespace warpsim
