#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "emulator/machine/launch.h"

namespace warpsim::cudart {

/// Says in a file which kernel runs and how far it is, for whoever has to kill the process: no
/// report comes after that. The file is mapped, so it costs a launch no system call and is right at
/// any moment.
///
/// The file has 4 KiB: a 64-bit number, how many blocks have begun, and behind it lines of text
/// that end with a zero byte: `kernel <name>`, `grid <x> <y> <z>`, `block <x> <y> <z>`; no text
/// while no kernel runs.
class ProgressNote {
 public:
  /// @param path  empty, or where no file can be made: nothing is noted
  explicit ProgressNote(const std::string& path);

  /// @returns where the machine counts the blocks that it begins; null when nothing is noted
  [[nodiscard]] std::atomic<std::uint64_t>* begin(std::string_view kernel, const Dim3& grid,
                                                  const Dim3& block);
  void end();

 private:
  char* note_ = nullptr;  // as long as the process lives
};

}  // namespace warpsim::cudart
