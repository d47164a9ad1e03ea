#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Where a call comes from that the student's text does not name.
///
/// @param name          of the function that is called
/// @param preprocessed  the file after `nvcc -E`
/// @param file          its name, as it was given to nvcc
/// @param source        its text
/// @return "`#include <nvtx3/nvToolsExt.h>` at vecadd.cu:3", "vecadd.cu:7" for a name that a macro
///         puts together; empty where it cannot be told
[[nodiscard]] std::string symbol_origin(std::string_view name, std::string_view preprocessed,
                                        std::string_view file, std::string_view source);

}  // namespace warpgrade
