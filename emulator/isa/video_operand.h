#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/isa/binder.h"

// Operands of video instructions, which may name parts of a register: "%r1.b3", "%r2.h10".

namespace warpsim {

struct VideoOperand {
  std::int32_t slot = -1;
  std::string_view selector;  // "b3", "h10"; empty for a whole register or a constant
};

/// A 32-bit source, perhaps with a selector.
[[nodiscard]] VideoOperand video_source(Binder& binder, std::size_t i);
/// A 32-bit destination, perhaps with a selector or mask.
[[nodiscard]] VideoOperand video_destination(Binder& binder, std::size_t i);

/// A selector's positions: "b3" is {3}, "h10" is {0, 1}, lowest part first.
struct Selection {
  char kind = 0;  // 'b', 'h', or 0 for no selector
  int count = 0;
  std::uint8_t parts[4] = {0, 0, 0, 0};
};
/// @param limit  parts are below this number
/// @throws UnsupportedForm  when it is not such a selector, or has more than `most` positions
[[nodiscard]] Selection parse_selection(const Binder& binder, std::string_view selector, int most,
                                        int limit);

}  // namespace warpsim
