#pragma once

#include <filesystem>
#include <string>

namespace warpgrade {

/// The beginning of the names of scratch folders.
inline constexpr const char* kScratchPrefix = "warpgrade-";

/// What could not be written, why, and what to do.
/// @param error  an errno
[[nodiscard]] std::string cannot_write(const std::filesystem::path& path, int error);

/// @throws EnvironmentError  with cannot_write()
[[noreturn]] void fail_to_write(const std::filesystem::path& path, int error);

/// The same of an exception, if the disk is full or read-only; else its own text.
[[nodiscard]] std::string describe(const std::filesystem::filesystem_error& error);

/// For what has failed: on a full disk that is not a mistake of the submission.
///
/// @throws EnvironmentError  if the disk of a folder is full
void require_room(const std::filesystem::path& folder);

}  // namespace warpgrade
