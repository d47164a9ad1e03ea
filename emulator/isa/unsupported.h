#pragma once

#include "emulator/isa/binder.h"

// Errors of bind functions. They are here, compiled once, because building a std::string in the
// per-level files would emit library code there for the linker to share.

namespace warpsim {

/// Throws UnsupportedForm: "type .f8", or "no type" for Type::none.
[[noreturn]] void unsupported_type(const Binder& binder, ptx::Type type);
/// Throws UnsupportedForm unless the instruction has between `least` and `most` operands.
void require_operands(const Binder& binder, std::size_t least, std::size_t most);
inline void require_operands(const Binder& binder, std::size_t count) {
  require_operands(binder, count, count);
}

}  // namespace warpsim
