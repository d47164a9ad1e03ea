#pragma once

namespace warpgrade::worker {

/// Whether the submission has called cudaDeviceReset, which takes the worker's buffers and events
/// along: they are given back before, so that nobody uses or frees them after. The program must be
/// linked with `--wrap=cudaDeviceReset`.
///
/// While calls are served from the DevicePool it only waits for the device: the calls after it need
/// what it would take.
[[nodiscard]] bool device_was_reset();

}  // namespace warpgrade::worker
