#pragma once

#include <cstdint>
#include <functional>

// The host code of this process goes on while a kernel waits for a change of memory. Work with a
// kernel that may wait runs in a thread of its own; one thread at a time is in the runtime, the one
// that holds its lock.

namespace warpsim::cudart {

/// Runs the work in a thread of its own, and returns when it has ended or its kernel waits. Called
/// by a thread in a call of the runtime. @throws what the work throws, if it has ended
void run_in_own_thread(std::function<void()> work);

/// For a kernel of such work that waits: other threads may enter the runtime.
/// @param state  what its threads do, equal while they only repeat it
/// @returns false when nothing can change any more what the kernel waits for, or nothing has for
///   long while another thread waits for the kernel
[[nodiscard]] bool let_others_run(std::uint64_t state);

/// Waits until a kernel has ended that waits. Called with the runtime's lock.
/// @returns false in a thread for which kernels wait
[[nodiscard]] bool wait_for_a_kernel();

}  // namespace warpsim::cudart
