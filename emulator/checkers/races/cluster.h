#pragma once

#include <cstdint>

#include "emulator/machine/observer.h"

// Where a cluster has several blocks, their shared memory is one space for it: each block remembers
// what it did to all of it as it does of global memory, in lines, and the lines of the cluster are
// what they are compared with when a block publishes or learns (race_settle).

namespace warpsim {

/// As race_shared, in a cluster of several blocks; and for the weak load of lanes that have a
/// shape.
/// @param offset  as addresses in the shared window name a block and a place in it (kClusterStride)
void race_cluster_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t lanes, std::uint32_t width, AccessType type,
                         const StoredValues* values);
void race_cluster_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                              const LaneShape& shape, std::uint32_t width);

}  // namespace warpsim
