#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace warpgrade {

/// What a process and all that it started use together. Pages that several share are counted for
/// each of them.
struct TreeUse {
  std::size_t processes = 0;
  std::uint64_t resident_bytes = 0;
  pid_t latest = 0;  // the one that was found last: in a sandbox, one of those inside
  /// For how long the first thread of one of them has been ready to run on a processor that others
  /// had: the most of any. 0 where the kernel does not count it.
  std::chrono::nanoseconds waited{0};
};

/// @param enough  stops counting beyond so many processes; 0: counts all
[[nodiscard]] TreeUse use_of_tree(pid_t root, std::size_t enough);

/// What lies in a folder.
struct FolderUse {
  std::uint64_t bytes = 0;  // of files; each counts at least one block
  std::size_t entries = 0;  // files, folders, links
  bool too_deep = false;  // folders in folders, more than kMostNested
};

inline constexpr std::size_t kMostNested = 32;

/// Looks through a folder that somebody may be writing to; stops as soon as it holds more than
/// `bytes` or `entries`, or is too deep.
[[nodiscard]] FolderUse use_of_folder(const std::filesystem::path& folder, std::uint64_t bytes,
                                      std::size_t entries);

/// Bytes of files in the memory file systems of the sandbox that a process is in, each of at most
/// `size` bytes; 0 where it is in none.
[[nodiscard]] std::uint64_t bytes_in_memory_folders(pid_t pid, std::uint64_t size);

}  // namespace warpgrade
