#pragma once

namespace warpsim::driver {

/// The implementation of functions that the emulator lacks: one finding for each.
/// @param name  as programs write it
/// @returns CUDA_ERROR_NOT_SUPPORTED
int unsupported(const char* name, const void* return_address);

/// Whether this exported function is such a one.
[[nodiscard]] bool is_unsupported(const void* function);

}  // namespace warpsim::driver
