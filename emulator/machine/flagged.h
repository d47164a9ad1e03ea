#pragma once

#include <cstdint>
#include <vector>

#include "emulator/machine/program.h"

namespace warpsim {

/// Which instructions have a flag (isa/inst.h), by instruction index, as the program's text has
/// them; code that decoding has added has none.
[[nodiscard]] inline std::vector<bool> flagged(const Program& program, std::uint32_t flag) {
  std::vector<bool> found(program.source.size(), false);
  for (const Inst& inst : program.code) {
    if ((inst.flags & flag) != 0 && inst.index < found.size()) found[inst.index] = true;
  }
  return found;
}

}  // namespace warpsim
