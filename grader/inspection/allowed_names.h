#pragma once

#include <string_view>

namespace warpgrade {

/// Whether a name that an object needs from elsewhere is one that exercises use: the CUDA runtime,
/// the math library, the compiler's own helpers, of C++ what opens no file, of C what touches
/// memory, strings, clocks and the standard streams. Names that no library around a submission has
/// (C++ names outside of std, other CUDA libraries) are for the linker to miss, whose message says
/// more.
[[nodiscard]] bool is_allowed_name(std::string_view name);

}  // namespace warpgrade
