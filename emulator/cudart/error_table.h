#pragma once

namespace warpsim::cudart {

/// "cudaErrorInvalidValue"; "unrecognized error code" for an unknown number.
[[nodiscard]] const char* error_name(int error);
/// A short description.
[[nodiscard]] const char* error_text(int error);

}  // namespace warpsim::cudart
