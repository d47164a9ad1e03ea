#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// What Numba needs in its environment to compile kernels with the toolkit that is installed here
// and to run them on the emulator (docs/python.md).

namespace warpsim {

/// @param libraries  the folder of the emulator's libcuda.so.1
/// @returns variables and their values; those that the user has set and that are right are not
///   among them
[[nodiscard]] std::vector<std::pair<std::string, std::string>> numba_environment(
    const std::filesystem::path& libraries);

/// A folder like `toolkit` in which libNVVM lies where Numba looks for it, in nvvm/lib64: packages
/// of PyPI have it in lib. It consists of links.
/// @param cache  a folder to make it in, which may not exist yet
/// @returns the folder; empty if the toolkit needs none or has no libNVVM, or if it cannot be made
[[nodiscard]] std::filesystem::path toolkit_for_numba(const std::filesystem::path& toolkit,
                                                      const std::filesystem::path& cache);

}  // namespace warpsim
