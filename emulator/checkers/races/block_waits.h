#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include "emulator/checkers/races/site.h"
#include "emulator/machine/faults.h"

// Blocks that wait for blocks of which nothing says that they have started. CUDA promises no order
// in which blocks start, so that a grid of more blocks than the card holds may fill it with blocks
// that wait. Here and on cards they start by their number, which is why such a program works.

namespace warpsim {

/// Watches a launch whose blocks run on one host thread.
class BlockWaits {
 public:
  /// @returns null where no block can wait in vain: the card holds all of the grid, or the kernel
  /// has no loop that waits
  static std::unique_ptr<BlockWaits> watch(const LaunchState& launch);

  /// Lanes are about to access global memory with a strong instruction.
  void access(WarpContext& context, const RaceSite& site, const std::uint64_t* address,
              std::uint32_t lanes, AccessType type);
  /// All blocks have ended: logs a warning if enough of them waited to fill the card.
  void report(const LaunchState& launch) const;

 private:
  struct Word {
    std::uint64_t before = 0;  // what it held before the launch's first write
    std::uint64_t writer = 0;  // the block that wrote last
  };
  struct Wait {
    const RaceSite* site = nullptr;
    std::uint64_t block = 0, writer = 0;
    std::uint32_t warp = 0;
    int lane = 0;
  };
  void wait(WarpContext& context, const RaceSite& site, int lane, std::uint64_t address);

  std::uint64_t resident_ = 0;  // blocks that the card holds
  std::uint64_t waiting_ = 0;  // blocks that waited so
  Wait first_;
  std::unordered_map<std::uint64_t, Word> words_;
};

}  // namespace warpsim
