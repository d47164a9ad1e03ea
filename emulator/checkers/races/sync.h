#pragma once

#include <cstdint>

#include "emulator/checkers/races/site.h"

// What strong accesses and fences order: they publish what their threads did, and learn.

namespace warpsim {

/// Compares what the block did since the last time with what other blocks did. It has to be done
/// before others learn of it, and before the block learns of others.
void race_settle(BlockContext& block);

/// Lanes execute membar or fence.
void race_fence(WarpContext& context, const Inst& in);

/// A warp learns of others' accesses, or of the reads among them.
void race_learn(BlockContext& block, std::uint32_t warp, const VectorClock& what);
void race_learn_reads(BlockContext& block, std::uint32_t warp, const VectorClock& what);

/// A warp would have learned of others' accesses, had a fence or an atomic reached it.
void race_intend(BlockContext& block, std::uint32_t warp, const VectorClock& what);

/// A strong write after a fence, which may publish, gets an epoch of its own: it is itself known to
/// who reads it, but not what its thread did between the fence and it. Call this before the write.
void race_begin_publishing(WarpContext& context, const RaceSite& site, AccessType type);
/// What a strong access teaches its warp and publishes, at each place.
void race_synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                      const std::uint64_t* address, std::uint32_t lanes, AccessType type);
void race_synchronise(WarpContext& context, const RaceSite& site, SyncPlaces& places,
                      const std::uint32_t* offset, std::uint32_t lanes, AccessType type);

}  // namespace warpsim
