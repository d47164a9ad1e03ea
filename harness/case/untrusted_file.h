#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace warpgrade {

/// A file that hostile code may have put there, open for reading: only a regular file, no link to
/// one of ours, no pipe that never ends.
class UntrustedFile {
 public:
  explicit UntrustedFile(const std::filesystem::path& file);
  ~UntrustedFile();
  UntrustedFile(const UntrustedFile&) = delete;
  UntrustedFile& operator=(const UntrustedFile&) = delete;

  /// False when it is no such file or cannot be opened.
  [[nodiscard]] bool usable() const { return usable_; }
  /// Bytes when it was opened: it may still grow or shrink.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Reads on from where the last read ended.
  /// @returns how many bytes came, at most as many as there is room for; nothing after an error
  [[nodiscard]] std::optional<std::size_t> read(std::span<std::byte> room);

 private:
  int fd_;
  bool usable_ = false;
  std::uint64_t size_ = 0;
};

/// Reads such a file.
///
/// @param limit  bytes; of a longer file the rest is left out
/// @returns nothing when it is no such file or cannot be read
[[nodiscard]] std::optional<std::string> read_untrusted_file(const std::filesystem::path& file,
                                                             std::uint64_t limit);

/// The same, of a file that must have exactly as many bytes as there is room for.
/// @returns whether it is one that has, and was read
[[nodiscard]] bool read_untrusted_file(const std::filesystem::path& file,
                                       std::span<std::byte> bytes);

}  // namespace warpgrade
