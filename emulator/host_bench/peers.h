#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace warpsim::bench {

/// Prints how fast the emulator is beside Oclgrind and POCL running the same kernels in OpenCL, two
/// threads each, and says which of them are not installed.
/// @param bin  the build's folder of programs
/// @returns one object a measurement
[[nodiscard]] nlohmann::json compare_with_peers(const std::filesystem::path& bin);

}  // namespace warpsim::bench
