#pragma once

#include "emulator/libraries/cublas/types.h"

namespace warpsim::cublas {

/// "CUBLAS_STATUS_INVALID_VALUE"
[[nodiscard]] const char* name_of(Status status);
/// In words.
[[nodiscard]] const char* text_of(Status status);

}  // namespace warpsim::cublas
