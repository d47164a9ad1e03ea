#pragma once

#include "emulator/cudart/api.h"

namespace warpsim::cudart {

/// For calls that are not allowed while a stream is being captured (cudaMalloc, or waiting for the
/// device): invalidates captures of mode "global" and returns the error, or success.
[[nodiscard]] cudaError_t refuse_while_capturing(Call& call);

}  // namespace warpsim::cudart
