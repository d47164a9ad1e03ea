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
  /// Of the host's vectors: 64 (AVX-512) or 32 (AVX2); 0: the widest that it has.
  std::int32_t vector_bytes = 0;
};

/// The compiler of hot runs (docs/native-code.md). Machines may share it.
/// @returns null where the processor or the build has no native code, or has no vectors of that
/// width: then everything is interpreted
[[nodiscard]] std::shared_ptr<NativeCode> make_native_code(const NativeOptions& options);

}  // namespace warpsim
