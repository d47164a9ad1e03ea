#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/checkers/race_knowledge.h"
#include "emulator/machine/async.h"

// What asynchronous copies and mbarriers tell the race checker; nothing happens when there is none.
//
// A copy's bytes may be written at any time between the instruction and the wait for it. So it
// counts as a store of its thread when it is issued, which other threads' earlier accesses have to
// be ordered before, and once more when its thread has waited, which later ones have to be ordered
// behind. What is read in between is found by the bytes' being in flight.

namespace warpsim {

/// Lanes issue cp.async. @param to  32 offsets in shared memory  @param from  32 global addresses
/// @param reading  lanes that read the source; the others write zeros
void race_copy(WarpContext& context, const Inst& in, const std::uint64_t* to,
               const std::uint64_t* from, std::uint32_t lanes, std::uint32_t reading,
               std::uint32_t width);
/// Lanes have waited for their part of it.
void race_copy_landed(WarpContext& context, const CopyBatch& batch, std::uint32_t lanes);
/// A lane is about to issue a bulk copy: what follows is a moment of its own.
void race_bulk_begin(WarpContext& context);
/// One side of it. @param start  generic
void race_bulk(WarpContext& context, const Inst& in, std::size_t lane, std::uint64_t start,
               std::uint32_t bytes, AccessType type);

/// What lanes have done until now, for who acquires it.
[[nodiscard]] Knowledge race_release(WarpContext& context, std::uint32_t lanes);

/// What is known of a bulk copy to who waits for it.
struct CopyKnowledge {
  Knowledge here;  // in the block that issued it: what its thread did until then, too
  Knowledge elsewhere;  // in another block: the copy itself, as its completion releases nothing
};
[[nodiscard]] CopyKnowledge race_bulk_issued(WarpContext& context, std::size_t lane);

/// An mbarrier of the block begins; what was deferred for it arrives, or a thread with `in`, of
/// this block or another; its phase completes; a warp has waited for that.
void race_mbarrier_init(BlockContext& block, std::uint32_t offset);
void race_mbarrier_arrive(BlockContext& block, std::uint32_t offset, const Knowledge& brought);
void race_mbarrier_arrive(WarpContext& context, const Inst& in, BlockContext& block,
                          std::uint32_t offset, const Knowledge& brought);
void race_mbarrier_complete(BlockContext& block, std::uint32_t offset);
void race_mbarrier_wait(WarpContext& context, BlockContext& block, std::uint32_t offset);

}  // namespace warpsim
