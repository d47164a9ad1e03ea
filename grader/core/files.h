#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpgrade {

/// Reads a whole file.
///
/// @throws UsageError  if it cannot be opened or is larger than `limit_bytes`
[[nodiscard]] std::string read_file(const std::filesystem::path& path,
                                    std::uint64_t limit_bytes = std::uint64_t{1} << 30);

/// Writes a file atomically: into a temporary file beside it, flushed to the disk, then renamed
/// over the old one. Parent folders are created.
///
/// @throws EnvironmentError  naming the file and the reason (read-only folder, full disk, ...)
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates a folder and its parents, and makes sure that files can be written there.
///
/// @throws EnvironmentError  naming the folder and the reason
void require_writable_folder(const std::filesystem::path& folder);

/// A temporary folder, removed with the object.
class ScratchFolder {
 public:
  /// @throws EnvironmentError  if none can be created; says where it was tried
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpgrade
