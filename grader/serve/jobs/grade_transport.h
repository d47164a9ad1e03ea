#pragma once

#include <filesystem>

#include "grader/serve/store/store.h"

namespace warpgrade {

/// The files of a folder and of those in it, by their paths in it.
/// @throws EnvironmentError  if one cannot be read
[[nodiscard]] FileSet files_in(const std::filesystem::path& folder);

/// Writes them there again.
/// @throws UsageError        if a name leads out of the folder
/// @throws EnvironmentError  if one cannot be written
void write_files(const std::filesystem::path& folder, const FileSet& files);

}  // namespace warpgrade
