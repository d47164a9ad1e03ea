#pragma once

#include <cstdint>
#include <memory>

#include "emulator/machine/native_code.h"

namespace warpsim {

struct NativeOptions {
  /// Executions of a run, all warps of a process together, after which it is compiled.
  std::uint32_t threshold = 16;
};

/// The compiler of hot runs (docs/native-code.md). Machines may share it.
/// @returns null where the processor, the build or the system has no native code: then everything is
/// interpreted
[[nodiscard]] std::shared_ptr<NativeCode> make_native_code(const NativeOptions& options);

}  // namespace warpsim
