#pragma once

#include <cstdint>

// Launches all of whose threads wait for memory to change (LaunchRequest::on_stall).

namespace warpsim {

struct Kernel;
struct Worker;

/// Whether threads of the kernel may wait for a change of memory by somebody else: it reads memory
/// with strong accesses, or calls functions, which may.
[[nodiscard]] bool may_stall(const Kernel& kernel);

/// What all threads of the launch that has stalled do, on the host thread that calls `on_stall`.
/// It is equal while they only repeat the same reads and get the same values.
[[nodiscard]] std::uint64_t stalled_state();
void set_stalled_state(std::uint64_t state);

/// The launch goes on after a stall. Instructions until now do not count for its budget, as how
/// many there are is the doing of whoever it waited for.
void forgive_instructions(const Worker& worker);

}  // namespace warpsim
