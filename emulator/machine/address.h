#pragma once

#include <cstdint>

#include "emulator/machine/memory.h"

// The generic address space. Global (and constant) addresses are their own generic addresses; the
// other spaces appear as windows, far from anything that the host maps by itself.

namespace warpsim {

constexpr std::uint64_t kSharedWindow = 0x3000'0000'0000;  // + offset in the block's shared memory
constexpr std::uint64_t kLocalWindow = 0x3100'0000'0000;  // + offset in the thread's local memory
constexpr std::uint64_t kParamWindow = 0x3200'0000'0000;  // + offset in the kernel's parameters
constexpr std::uint64_t kFunctionWindow = 0x3300'0000'0000;  // + 16 * function number
constexpr std::uint64_t kWindowMask = 0xff00'0000'0000;
constexpr std::uint64_t kWindowSize = 0x0100'0000'0000;

/// Within the shared window: an offset below kClusterStride is in the thread's own block, and
/// (rank + 1) * kClusterStride + offset in the block of that rank of the cluster.
constexpr std::uint32_t kClusterStride = 1u << 24;
constexpr std::uint32_t kMaxClusterBlocks = 16;

[[nodiscard]] constexpr bool in_window(std::uint64_t address, std::uint64_t window) {
  return (address & ~(kWindowSize - 1)) == window;
}

}  // namespace warpsim
