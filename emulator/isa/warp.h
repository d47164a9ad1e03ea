#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/isa/inst.h"

namespace warpsim {

struct WarpContext;  // scheduling state, owned by emulator/machine

/// What an instruction handler sees of a warp. Registers are structures of arrays: a 32-bit
/// register is 32 consecutive u32 at its slot, a 64-bit one 32 u64, a 16-bit one 32 u16, an 8-bit
/// one 32 u8; a predicate is one u32 with a bit per lane. Slots are 64-byte aligned.
struct Warp {
  std::byte* regs = nullptr;  // the current frame's register file
  std::uint32_t active = 0;  // lanes that execute the current instruction
  std::uint32_t warp_index = 0;  // within the block
  const Inst* stop = nullptr;  // run while pc < stop (see kStop)
  WarpContext* context = nullptr;  // for memory, control flow and synchronisation handlers

  template <class T>
  [[nodiscard]] T* reg(std::int32_t slot) const {
    return static_cast<T*>(__builtin_assume_aligned(regs + slot, 64));
  }
  /// The 32-bit lane mask of a predicate register.
  [[nodiscard]] std::uint32_t& pred(std::int32_t slot) const {
    return *reinterpret_cast<std::uint32_t*>(regs + slot);
  }
};

}  // namespace warpsim
