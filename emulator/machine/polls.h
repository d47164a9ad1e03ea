#pragma once

#include <array>
#include <cstdint>

#include "emulator/machine/context.h"

// Loads of a loop that waits. How often it looks before it may go on is chance, on a card and here,
// and must not be what a program is judged by.

namespace warpsim {

/// Where the lanes of a warp looked last.
struct Polls {
  struct Look {
    const Inst* inst = nullptr;
    std::uint64_t address = 0;
    bool operator==(const Look&) const = default;
  };
  std::array<Look, kWarpSize> last;
};

/// Lanes of the warp look at memory with a polling load (kPolls).
/// @returns true when all of them look where they looked the last time
bool looks_again(WarpContext& context, const Inst& in, const std::uint64_t* address,
                 std::uint32_t lanes);

}  // namespace warpsim
