#pragma once

#include <cstdint>
#include <memory>

#include "emulator/machine/native_code.h"

namespace warpsim {

struct NativeOptions {
  /// Executions of a run, all warps of a process together, after which it is compiled.
  std::uint32_t threshold = 16;
  /// Executions beyond these for which a run waits until it is known where all of its accesses are;
  /// those of which it is not known then are called.
  std::uint32_t patience = 64;
};

/// The compiler of hot runs (docs/native-code.md). Machines may share it.
/// @returns null where the processor or the build has no native code: then everything is
/// interpreted
[[nodiscard]] std::shared_ptr<NativeCode> make_native_code(const NativeOptions& options);

}  // namespace warpsim
