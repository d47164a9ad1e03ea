#pragma once

#include <filesystem>
#include <string>

namespace warpgrade {

/// The file of one entry in the user's cache: XDG_CACHE_HOME/warpgrade, or ~/.cache/warpgrade.
/// @param kind  the folder of entries of its kind: "reference"
/// @param key   names everything that the entry depends on
/// @returns an empty path where there is no place for it
[[nodiscard]] std::filesystem::path cache_file(const std::string& kind, const std::string& key);

}  // namespace warpgrade
