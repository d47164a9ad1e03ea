#pragma once

namespace warpgrade::worker {

/// Whether the submission has called cudaDeviceReset, which destroys the worker's buffers and
/// events, too: they are released before it, so that they are neither used nor freed after it. The
/// program must be linked with `--wrap=cudaDeviceReset`.
///
/// While the DevicePool serves allocations, a reset only waits for the device, because later calls
/// need what it would destroy.
[[nodiscard]] bool device_was_reset();

}  // namespace warpgrade::worker
