#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// The kinds of labs that can be made, the first is the default.
[[nodiscard]] std::vector<std::string> lab_templates();

/// Writes the files of a lab that loads and builds, with a TODO wherever the author has to fill
/// something in: a function with one input and one output array, the same as a program or with
/// streams, or questions of each kind.
///
/// @param root  holds labs/, reference/ and datasets/
/// @param kind  one of lab_templates()
/// @return the files, relative to `root`
/// @throws UsageError  for an id that cannot be used, or if any of the files exists; nothing is
///                     written then
std::vector<std::filesystem::path> make_new_lab(const std::filesystem::path& root,
                                                const std::string& id,
                                                std::string_view kind = "function");

}  // namespace warpgrade
