#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace warpgrade {

/// What a process and its descendants use together. Shared pages are counted once per process.
struct TreeUse {
  std::size_t processes = 0;
  std::uint64_t resident_bytes = 0;
  pid_t latest = 0;  // found last: in a sandbox, one of the processes inside
  /// The longest time for which the main thread of one of them was runnable without a processor. 0
  /// if the kernel does not count it.
  std::chrono::nanoseconds waited{0};
};

/// @param enough  stops counting after so many processes; 0: counts all
[[nodiscard]] TreeUse use_of_tree(pid_t root, std::size_t enough);

/// The contents of a folder.
struct FolderUse {
  std::uint64_t bytes = 0;  // of files; each counts at least one block
  std::size_t entries = 0;  // files, folders, links
  bool too_deep = false;  // nested more than kMostNested deep
};

inline constexpr std::size_t kMostNested = 32;

/// Measures a folder that may be changing; stops as soon as it holds more than `bytes` or
/// `entries`, or is too deep.
[[nodiscard]] FolderUse use_of_folder(const std::filesystem::path& folder, std::uint64_t bytes,
                                      std::size_t entries);

/// Bytes of files in the memory file systems of a process's sandbox, each of at most `size` bytes;
/// 0 without a sandbox.
[[nodiscard]] std::uint64_t bytes_in_memory_folders(pid_t pid, std::uint64_t size);

}  // namespace warpgrade
