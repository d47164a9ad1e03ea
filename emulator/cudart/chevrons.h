#pragma once

// `<<<grid, block, shared, stream>>>`: the configuration pushed for the stub stays in the program,
// whether the device is in this process or another.

namespace warpsim::cudart {

/// Location of this thread's innermost `<<<>>>` whose stub is running; null if none.
[[nodiscard]] const void* chevrons();
/// The same, and clears it, for the launch that it belongs to.
[[nodiscard]] const void* take_chevrons();
/// For a launch from another process.
void set_chevrons(const void* address);

}  // namespace warpsim::cudart
