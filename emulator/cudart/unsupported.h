#pragma once

namespace warpsim::cudart {

/// The implementation of unsupported functions: reports them once and returns
/// cudaErrorNotSupported.
int unsupported(const char* name, const void* return_address);

}  // namespace warpsim::cudart
