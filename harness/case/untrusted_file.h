#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace warpgrade {

/// A file that hostile code may have created, open for reading: only a regular file, not a link to
/// one of ours, not an endless pipe.
class UntrustedFile {
 public:
  explicit UntrustedFile(const std::filesystem::path& file);
  ~UntrustedFile();
  UntrustedFile(const UntrustedFile&) = delete;
  UntrustedFile& operator=(const UntrustedFile&) = delete;

  /// False if it is not such a file or cannot be opened.
  [[nodiscard]] bool usable() const { return usable_; }
  /// Bytes at the time of opening: it may still grow or shrink.
  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// Continues reading.
  /// @returns the number of bytes read, at most the buffer's size; nothing after an error
  [[nodiscard]] std::optional<std::size_t> read(std::span<std::byte> room);

 private:
  int fd_;
  bool usable_ = false;
  std::uint64_t size_ = 0;
};

/// An output that is longer is truncated; bytes.
inline constexpr std::uint64_t kLargestOutput = std::uint64_t{1} << 30U;

/// Reads such a file.
///
/// @param limit  bytes; a longer file is truncated
/// @returns nothing if it is not such a file or cannot be read
[[nodiscard]] std::optional<std::string> read_untrusted_file(const std::filesystem::path& file,
                                                             std::uint64_t limit);

/// The same for a file that must have exactly the buffer's size.
/// @returns whether it has that size and was read
[[nodiscard]] bool read_untrusted_file(const std::filesystem::path& file,
                                       std::span<std::byte> bytes);

}  // namespace warpgrade
