#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "grader/process/process.h"
#include "grader/process/process_tree.h"

namespace warpgrade {

/// Samples a running program for the limits that the kernel does not enforce.
class Watch {
 public:
  using Duration = std::chrono::steady_clock::duration;

  /// @param spec  must outlive this
  /// @param pid   the program's, or its sandbox's
  Watch(const ProcessSpec& spec, pid_t pid) : spec_(spec), pid_(pid) {}

  /// Which limit the program has broken, or `exited` for none. Sampling costs more than reading a
  /// pipe, so that a program that prints all the time is not sampled more often.
  /// @param elapsed  since it started
  [[nodiscard]] ProcessEnd look(Duration elapsed);

  /// After how long look() samples again; at least a millisecond.
  [[nodiscard]] std::chrono::milliseconds until_next_look(Duration elapsed) const {
    constexpr std::chrono::milliseconds kLeast{1};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_look_ - elapsed);
    return std::max(left, kLeast);
  }

  /// The same for the folders alone, once more after the program has ended, so that nothing escapes
  /// between two samples.
  [[nodiscard]] ProcessEnd look_at_folders() const;

 private:
  const ProcessSpec& spec_;
  pid_t pid_;
  /// At first. Memory grows by at most a few GB per second.
  static constexpr std::chrono::milliseconds kBetweenLooks{100};
  Duration next_look_{kBetweenLooks};
  LostTime lost_time_;
  Duration lost_{0};  // with that of the other process that it waits for
  Duration last_call_{0};
  Duration paused_{0};  // in which nobody looked
  static constexpr std::chrono::milliseconds kBetweenFolderLooks{200};
  Duration next_folder_look_{kBetweenFolderLooks};
  std::uint64_t in_memory_ = 0;  // bytes of files in memory file systems
};

}  // namespace warpgrade
