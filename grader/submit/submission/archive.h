#pragma once

#include <filesystem>
#include <string>

namespace warpgrade {

/// Reads one file of an archive that tree_of_archive has accepted.
/// @param path  its normalised path inside
/// @throws UsageError  if it no longer exists
[[nodiscard]] std::string read_archive_entry(const std::filesystem::path& file,
                                             const std::string& path);

}  // namespace warpgrade
