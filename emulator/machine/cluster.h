#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"

// Blocks of a cluster: each other's shared memory, and the barrier of all their threads.

namespace warpsim {

/// The block that the bytes of a shared window offset belong to by its upper bits (see
/// kClusterStride); null when the cluster has no such block.
[[nodiscard]] BlockContext* block_named(const BlockContext& from, std::uint64_t window_offset);
/// The block of the cluster whose shared memory holds a host address, or null.
[[nodiscard]] BlockContext* shared_owner(const BlockContext& from, const std::byte* host);
/// An access to shared memory through the cluster's window that is outside an array, of no block,
/// or of a block that has ended. @returns true when a card would have stopped the kernel, too
bool report_bad_cluster_shared(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                               const std::uint64_t* offsets, std::uint32_t width, AccessType type);
/// Threads have ended: the cluster barrier does not wait for them.
void leave_cluster_barrier(WarpContext& context, std::uint32_t lanes);

}  // namespace warpsim
