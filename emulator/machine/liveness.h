#pragma once

#include <cstdint>
#include <vector>

#include "emulator/isa/description.h"
#include "emulator/ptx/module.h"

namespace warpsim {

/// The instructions, first to last inclusive, between which a register may hold a value that
/// is still needed. Two registers whose ranges do not meet can share a place.
struct LiveRange {
  std::uint32_t first = ~std::uint32_t{0};
  std::uint32_t last = 0;
};

struct RegisterDemand {
  /// Registers per thread that are needed at once, 32 bits each, by liveness of the virtual ones:
  /// an estimate of what ptxas allocates, which reorders and rematerialises.
  std::uint32_t peak = 0;
  /// Some path from the entry may read a register that nothing on it has written.
  bool reads_unset = false;
  std::vector<LiveRange> ranges;  // by register
  std::vector<RegisterUse> uses;  // by instruction
};
[[nodiscard]] RegisterDemand register_demand(const ptx::Function& function);
/// For each instruction, and for the end, the registers whose value may still be read when it is
/// about to be executed: one bit each, by index.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> live_registers(const ptx::Function& function);

}  // namespace warpsim
