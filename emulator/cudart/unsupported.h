#pragma once

namespace warpsim::cudart {

/// What an exported function does that the emulator lacks: says so once and returns
/// cudaErrorNotSupported.
int unsupported(const char* name, const void* return_address);

}  // namespace warpsim::cudart
