#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/findings/finding.h"

// Races as they are found, for the debugger and for recordings.

namespace warpsim {

struct BlockContext;
struct LaunchState;

/// A race, and whose accesses it has.
struct RaceFound {
  Finding finding;
  bool shared = false;  // in shared memory
  std::uint64_t address = 0;  // of a common byte: a device address, or an offset of shared memory
  std::uint64_t first_block = 0, second_block = 0;  // first and second: as the emulator ran them
  std::uint32_t first_warp = 0, second_warp = 0;
  std::uint32_t first_lane = 0, second_lane = 0;
  std::uint32_t second_instruction = 0;  // its index in its program

  [[nodiscard]] bool is_between_blocks() const { return first_block != second_block; }
};
/// A conflict of a thread of a running block, as the finding that the launch's end reports, if the
/// last one is new. Nothing without a checker.
/// @param known  how many conflicts of the block the caller knows of; is set to all
[[nodiscard]] std::optional<RaceFound> race_found_since(const BlockContext& block,
                                                        std::size_t& known);
/// Conflicts of a launch whose blocks have all ended, in the order in which they were found: first
/// those of threads of different blocks. Empty without a checker.
[[nodiscard]] std::vector<RaceFound> races_found(const LaunchState& launch);

}  // namespace warpsim
