#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/machine/launch.h"

namespace warpsim::cudart {

/// Records in a file which kernel runs and its progress, in case the process is killed and cannot
/// write a report. The file is mapped, so a launch needs no system call and the file is always up
/// to date.
///
/// The file has 4 KiB: a 64-bit number, how many blocks have begun, followed by lines of text that
/// end with a zero byte: `kernel <name>`, `grid <x> <y> <z>`, `block <x> <y> <z>`; no text if no
/// kernel runs.
class ProgressNote {
 public:
  /// @param path  empty, or a file that cannot be created: nothing is recorded
  explicit ProgressNote(const std::string& path);

  /// @returns the counter for blocks that begin; null if nothing is recorded
  [[nodiscard]] std::atomic<std::uint64_t>* begin(std::string_view kernel, const Dim3& grid,
                                                  const Dim3& block);
  void end();

 private:
  char* note_ = nullptr;  // until the end of the process
};

}  // namespace warpsim::cudart
