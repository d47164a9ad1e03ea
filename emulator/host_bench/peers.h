#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace warpsim::bench {

/// Prints the emulator's speed compared with Oclgrind and POCL running the same kernels in OpenCL,
/// two threads each, and which of them are not installed.
/// @param bin  the build's folder of programs
/// @returns one object per measurement
[[nodiscard]] nlohmann::json compare_with_peers(const std::filesystem::path& bin);

}  // namespace warpsim::bench
