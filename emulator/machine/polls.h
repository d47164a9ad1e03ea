#pragma once

#include <array>
#include <cstdint>

#include "emulator/machine/context.h"

// Loads of a loop that waits: which they are, and which of their looks are counted. How often such
// a loop looks before it may go on is chance, on a card and here, and must not be what a program is
// judged by.

namespace warpsim {

/// True when instruction `index` reads a word in a loop that goes on until another thread changes
/// the word: `while (flag[i] == 0) {}`, with a volatile or atomic read.
[[nodiscard]] bool polls(const ptx::Function& function, std::uint32_t index);
/// True when instruction `index` is an atomic that changes memory and whose result is used, by
/// which a thread can know that whoever drew before it has started.
[[nodiscard]] bool draws(const ptx::Function& function, std::uint32_t index);

/// An atomic that leaves the word as it is: atomicAdd(p, 0), atomicCAS(p, 0, 0).
[[nodiscard]] bool only_reads(const ptx::Instruction& instruction);
/// True when what instruction `index` reads becomes data: it is stored, handed to a call or another
/// atomic, or is part of an address. A value that is only compared decides what a thread does next,
/// as a flag does.
[[nodiscard]] bool becomes_data(const ptx::Function& function, std::uint32_t index);

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
