#pragma once

// `<<<grid, block, shared, stream>>>`: what it pushes for the stub that follows stays in the
// program, whether the device is there or in another process.

namespace warpsim::cudart {

/// Where the innermost `<<<>>>` of this thread is whose stub is running; null for none.
[[nodiscard]] const void* chevrons();
/// The same, for the launch that it stands for: the next one has its own, or none.
[[nodiscard]] const void* take_chevrons();
/// For a launch that comes from another process.
void set_chevrons(const void* address);

}  // namespace warpsim::cudart
