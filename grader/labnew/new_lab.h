#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpgrade {

/// Creates labs/<id>, reference/<id> and datasets/<id>.toml: a lab with one input and one output
/// array that loads and builds, with a TODO wherever its author must decide something.
///
/// @returns the files, relative to `root`
/// @throws UsageError  if the id cannot name a C++ function, or the lab exists already
/// @throws EnvironmentError  if a file cannot be written
/// @param kind  "function", or "program": a lab whose students write main()
std::vector<std::filesystem::path> make_new_lab(const std::filesystem::path& root,
                                                const std::string& id,
                                                const std::string& kind = "function");

}  // namespace warpgrade
