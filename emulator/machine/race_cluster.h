#pragma once

#include <cstdint>

#include "emulator/checkers/race_access.h"
#include "emulator/isa/inst.h"
#include "emulator/machine/faults.h"

// What the race checker is told of clusters.
//
// Where a cluster has several blocks, their shared memory is one space for it: each block remembers
// what it did to all of it as it does of global memory, in lines, and the lines of the cluster are
// what they are compared with when a block publishes or learns (race_settle).

namespace warpsim {

struct Cluster;
struct LaneShape;

/// The blocks of a cluster of several have started; all blocks of one have ended or stopped.
void race_start_cluster(Cluster& cluster);
void race_finish_cluster(Cluster& cluster);

/// The active lanes arrive at the cluster's barrier with `in`, everybody has, and lanes have waited
/// for that. @param waits_next  they do nothing before they wait
void race_cluster_arrive(WarpContext& context, const Inst& in, bool waits_next);
void race_cluster_complete(Cluster& cluster);
void race_cluster_wait(WarpContext& context);
/// Lanes end. The cluster's barrier does not wait for them any more.
void race_cluster_leave(WarpContext& context, std::uint32_t lanes);

/// As race_shared and race_shared_load, in a cluster of several blocks.
/// @param offset  as addresses in the shared window name a block and a place in it (kClusterStride)
void race_cluster_shared(WarpContext& context, const Inst& in, const std::uint32_t* offset,
                         std::uint32_t lanes, std::uint32_t width, AccessType type,
                         const StoredValues* values);
void race_cluster_shared_load(WarpContext& context, const Inst& in, std::uint32_t first,
                              const LaneShape& shape, std::uint32_t width);
/// Lanes use an mbarrier of another block, which must be there to be used.
void race_cluster_mbarrier(WarpContext& context, const Inst& in, const BlockContext& owner,
                           std::uint32_t offset, std::uint32_t lanes);

}  // namespace warpsim
