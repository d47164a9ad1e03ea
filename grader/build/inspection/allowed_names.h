#pragma once

#include <string_view>

namespace warpgrade {

/// Whether an undefined name of an object is one that exercises may use: the CUDA runtime, the math
/// library, compiler helpers, C++ without files, and C functions for memory, strings, clocks and
/// the standard streams. Names that no linked library defines (C++ names outside of std, other CUDA
/// libraries) are allowed too: the linker's message about them says more.
[[nodiscard]] bool is_allowed_name(std::string_view name);

}  // namespace warpgrade
