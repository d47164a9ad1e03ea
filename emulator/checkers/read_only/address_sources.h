#pragma once

#include <cstdint>

#include "emulator/ptx/module.h"

namespace warpsim {

/// What the addresses of some accesses of a kernel are computed from: bit i for the kernel's
/// parameter i, kElsewhere for memory, a variable, or a parameter from kMostParameters on.
using AddressSources = std::uint64_t;
inline constexpr std::uint32_t kMostParameters = 63;
inline constexpr AddressSources kElsewhere = std::uint64_t{1} << kMostParameters;

/// Of the accesses to global memory in the text of a kernel. An integer of which an index is
/// computed is a source like the array's pointer.
struct GlobalAddresses {
  AddressSources read_only = 0;  // of read-only loads; 0: it has none
  AddressSources written = 0;  // of stores and atomics

  bool operator==(const GlobalAddresses&) const = default;
};

/// Instructions are taken in any order, so a source may be named that no execution has. Functions
/// that the kernel calls are not looked at.
[[nodiscard]] GlobalAddresses global_addresses(const ptx::Function& kernel);

}  // namespace warpsim
