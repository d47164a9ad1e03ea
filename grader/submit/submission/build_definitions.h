#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpgrade {

/// Whether a file says how a submission is built: a Makefile, or CMake's.
[[nodiscard]] bool is_build_file(std::string_view path);

/// The macros that a Makefile or a CMakeLists.txt gives the compiler (`-DBLOCK=256`,
/// `add_compile_definitions(BLOCK=256)`), with their values; those whose values are computed there
/// are left out.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> build_definitions(
    std::string_view text);

}  // namespace warpgrade
