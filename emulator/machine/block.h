#pragma once

#include <cstdint>
#include <memory>

#include "emulator/machine/context.h"

namespace warpsim {

/// Makes a block of a launch ready to run, from one that has ended on the same host thread where
/// there is one.
/// @param linear  its number, in the order of blocks; @param id  its place in the grid
[[nodiscard]] std::unique_ptr<BlockContext> start_block(Worker& worker, Cluster& cluster,
                                                        std::uint32_t rank, std::uint64_t linear,
                                                        const Dim3& id);

/// How the time ended that a block or a cluster had.
enum class Slice {
  finished,
  waiting,  // what is ready only waits for others
  preempted,  // it could go on, but the seed's schedule lets others run
  stuck,  // nothing is ready
};

/// Runs a block until it ends or until all that it could run has yielded or waits.
[[nodiscard]] Slice run_block(BlockContext& block);
/// The same under a debugger (debug_run.cpp).
[[nodiscard]] Slice run_debugged_block(BlockContext& block);

}  // namespace warpsim
