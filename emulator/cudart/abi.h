#pragma once

#include <cuda_runtime_api.h>

// The differences between the libraries for CUDA 12 and CUDA 13. abi.cpp, which is compiled for
// each of them, defines these and the exported functions whose signatures or structures changed
// (abi_calls.h); all other code is the same for both.

namespace warpsim::cudart {

extern const int kRuntimeVersion;  // 13000 for 13.0
/// The error of a launch with an invalid configuration: cudaErrorInvalidValue in CUDA 13.0
/// (measured), cudaErrorInvalidConfiguration in CUDA 12.
extern const cudaError_t kRefusedConfiguration;

}  // namespace warpsim::cudart

/// Declares a function that is exported under the name of one that the toolkit's header, which may
/// be of the other version, declares with another signature.
#define WARPSIM_EXPORT_AS(name) __asm__(name)
