#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace warpgrade {

/// A thread of a process or of a descendant.
struct ThreadState {
  pid_t id = 0;
  /// For how long it has had a processor, and was runnable without one, since it was started. 0 if
  /// the kernel does not count it. The latter is updated when it gets a processor.
  std::chrono::nanoseconds ran{0}, waited{0};
  bool runnable = false;  // on a processor, or waiting for one
  bool blocked = false;  // in the kernel, waiting for a disk or for memory; or stopped by a signal
};

/// What a process and its descendants use together. Shared pages are counted once per process.
struct TreeUse {
  std::size_t processes = 0;
  std::uint64_t resident_bytes = 0;
  pid_t latest = 0;  // found last: in a sandbox, one of the processes inside
  std::chrono::nanoseconds processor{0};  // processor time, with that of children that have ended
  std::vector<ThreadState> threads;
};

/// @param enough        stops counting after so many processes; 0: counts all
/// @param with_threads  false: `threads` stays empty, and fewer files are read
[[nodiscard]] TreeUse use_of_tree(pid_t root, std::size_t enough, bool with_threads = true);

/// The time in which other programs kept a tree of processes from its work: in each interval
/// between two samples, that of the thread that waited longest. The waits of programs that run one
/// after the other, as a compiler's do, add up, and those of threads that wait together do not.
class LostTime {
 public:
  /// @param elapsed  since the start of the tree
  void sample(const std::vector<ThreadState>& threads, std::chrono::nanoseconds elapsed);
  [[nodiscard]] std::chrono::nanoseconds total() const { return total_; }

 private:
  struct Thread {
    std::chrono::nanoseconds ran{0}, waited{0};
  };
  std::map<pid_t, Thread> threads_;  // at the last sample
  std::chrono::nanoseconds at_{0};  // of the last sample
  std::chrono::nanoseconds total_{0};
};

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
