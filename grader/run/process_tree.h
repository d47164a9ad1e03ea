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
  /// For how long the first thread of one of them has been ready to run on a processor that others
  /// had: the most of any. 0 where the kernel does not count it.
  std::chrono::nanoseconds waited{0};
};

/// @param enough  stops counting beyond so many processes; 0: counts all
[[nodiscard]] TreeUse use_of_tree(pid_t root, std::size_t enough);

/// Bytes of all files in a folder that somebody may be writing to; stops counting beyond `enough`.
/// Each file counts at least one block, so that many empty ones count too.
[[nodiscard]] std::uint64_t bytes_in(const std::filesystem::path& folder, std::uint64_t enough);

}  // namespace warpgrade
