#pragma once

#include <string>
#include <string_view>

namespace warpgrade {

/// Locates the origin of a call whose name does not occur in the student's text.
///
/// @param name          of the function that is called
/// @param preprocessed  the file after `nvcc -E`
/// @param file          its name on nvcc's command line
/// @param source        its text
/// @return "`#include <nvtx3/nvToolsExt.h>` at vecadd.cu:3", "vecadd.cu:7" for a name that a macro
///         assembles; empty if unknown
[[nodiscard]] std::string symbol_origin(std::string_view name, std::string_view preprocessed,
                                        std::string_view file, std::string_view source);

}  // namespace warpgrade
