#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

/// Makes labs/<id>, reference/<id> and datasets/<id>.toml: a lab of one array in and one out that
/// loads and builds, with a TODO wherever its author has to say something.
///
/// @returns the files, relative to `root`
/// @throws UsageError  if the id cannot name a C++ function, or something of that id is there
/// @throws EnvironmentError  if a file cannot be written
std::vector<std::filesystem::path> make_new_lab(const std::filesystem::path& root,
                                                const std::string& id);

}  // namespace warpgrade
