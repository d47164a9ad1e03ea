#pragma once

#include <cuda_runtime_api.h>

namespace warpsim::cudart {

/// Functions of the driver that programs ask the runtime for, and that need no device: those that
/// make tensor maps. The client of a device in another process has them, too.
///
/// @param status  null in programs that expect every function to be there
cudaError_t driver_entry(const char* symbol, void** function,
                         cudaDriverEntryPointQueryResult* status);

}  // namespace warpsim::cudart
