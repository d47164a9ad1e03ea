#pragma once

namespace warpsim::cudart {

/// "cudaErrorInvalidValue"; "unrecognized error code" for a number that is none.
[[nodiscard]] const char* error_name(int error);
/// A short text for a person.
[[nodiscard]] const char* error_text(int error);

}  // namespace warpsim::cudart
