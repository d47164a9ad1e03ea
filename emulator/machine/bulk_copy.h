#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/machine/access.h"
#include "emulator/machine/async.h"

// What copies of ranges (bulk_copy.cpp) and of boxes of an array (tensor_copy.cpp) have in common:
// one lane starts them, and the copy engine moves the bytes.

namespace warpsim {

/// Finds the bytes of a lane as if it were alone. @param generic  an address in the shared window
[[nodiscard]] Located find_shared(WarpContext& context, const Inst& in, std::size_t lane,
                                  std::uint64_t generic, std::uint32_t bytes, AccessType type);
[[nodiscard]] Located find_global(WarpContext& context, const Inst& in, std::size_t lane,
                                  std::uint64_t address, std::uint32_t bytes, AccessType type);

/// What observers know that threads learn which wait for a copy.
struct CopyBrings {
  ObserverSlots here;  // in the block that issued it
  ObserverSlots elsewhere;
};
[[nodiscard]] CopyBrings copy_issued(WarpContext& context, std::size_t lane);

/// Counts that the block's warps will wait for a copy from global memory: once for each phase of an
/// mbarrier, and the less, the more mbarriers there are that it can be under way for.
void count_copy_wait(BlockContext& block, std::uint32_t barrier);

/// Puts a copy to shared memory under way: into `block`, completing at an mbarrier there.
void defer_copy(BlockContext& block, std::uint32_t offset, std::uint32_t barrier, BulkCopy copy,
                const CopyBrings& known);

}  // namespace warpsim
