#include "grader/process/watch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "grader/process/usage.h"

namespace warpgrade {
namespace {

/// Between two looks: after more, this process was itself stopped, or the whole machine.
constexpr std::chrono::seconds kPause{1};
constexpr std::size_t kSandboxProcesses = 2;  // bwrap and the first in its namespace
/// Only then matters for how long it was kept from its work: the counts are since its start.
constexpr std::chrono::milliseconds kFirstThreadLook{500};

}  // namespace

ProcessEnd Watch::look(Duration elapsed) {
  const ProcessLimits& limits = spec_.limits;
  const bool timed = limits.wall.count() > 0;
  // However long it was runnable: it may compete with processes that it started itself.
  if (timed && elapsed > kMaxStretch * limits.wall) {
    return use_of_tree(pid_, 0).processor < limits.wall ? ProcessEnd::starved
                                                        : ProcessEnd::out_of_time;
  }
  if (elapsed - last_call_ > kPause) paused_ += elapsed - last_call_;
  last_call_ = elapsed;
  const bool late = timed && elapsed - lost_ - paused_ > limits.wall;
  if (!late && elapsed < next_look_) return ProcessEnd::exited;
  // Less often as time goes on: runaway growth begins early. For most programs these are all looks,
  // and each reads a dozen files of /proc.
  next_look_ = elapsed + std::clamp<Duration>(elapsed / 2, kBetweenLooks, 2 * kBetweenLooks);
  if (timed || limits.resident_bytes > 0 || limits.processes > 0) {
    const std::size_t enough = limits.processes > 0 ? limits.processes + kSandboxProcesses : 0;
    const bool with_threads = late || elapsed >= kFirstThreadLook;
    const TreeUse use = use_of_tree(pid_, enough, with_threads);
    if (with_threads) lost_time_.sample(use.threads, elapsed);
    const auto other = spec_.wait_of_other == nullptr ? 0 : spec_.wait_of_other->load();
    lost_ = lost_time_.total() + std::chrono::nanoseconds(other);
    if (spec_.tell_wait != nullptr) spec_.tell_wait->store(lost_time_.total().count());
    if (late && elapsed - lost_ - paused_ > limits.wall) {
      return limits.computes && 2 * use.processor < limits.wall ? ProcessEnd::starved
                                                                : ProcessEnd::out_of_time;
    }
    if (enough > 0 && use.processes > enough) return ProcessEnd::out_of_processes;
    // Files in memory file systems are in no resident set; their size is limited.
    if (limits.resident_bytes > 0 && spec_.confinement && spec_.confinement->sandbox.on() &&
        elapsed >= next_folder_look_) {
      in_memory_ = bytes_in_memory_folders(use.latest, kMemoryFolderBytes);
    }
    if (limits.resident_bytes > 0 && use.resident_bytes + in_memory_ > limits.resident_bytes) {
      return ProcessEnd::out_of_memory;
    }
  }
  if (elapsed < next_folder_look_) return ProcessEnd::exited;
  next_folder_look_ = elapsed + kBetweenFolderLooks;
  return look_at_folders();
}

ProcessEnd Watch::look_at_folders() const {
  const ProcessLimits& limits = spec_.limits;
  if (limits.folder_bytes == 0 || !spec_.confinement) return ProcessEnd::exited;
  for (const std::filesystem::path& folder : spec_.confinement->view.writable) {
    const FolderUse use = use_of_folder(folder, limits.folder_bytes, limits.folder_files);
    if (use.bytes > limits.folder_bytes || use.entries > limits.folder_files || use.too_deep) {
      return ProcessEnd::out_of_disk;
    }
  }
  return ProcessEnd::exited;
}

}  // namespace warpgrade
