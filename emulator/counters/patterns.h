#pragma once

#include <cstdint>

namespace warpsim {

/// The last address pattern of a memory instruction and what it costs. Sector counts do not
/// change when all addresses move by a multiple of 32 bytes, bank conflicts not when they move by
/// a multiple of 128, so equal relative addresses need no recount.
struct PatternMemo {
  alignas(64) std::uint32_t relative[32] = {};  // to the first active lane's address
  std::uint32_t mask = 0;  // 0: nothing remembered
  std::uint32_t phase = 0;  // first address modulo 32 or 128
  std::uint16_t passes = 0;  // sectors or wavefronts
  std::uint16_t ideal = 0;
  std::uint16_t multiplicity = 0;  // atomics: most lanes on one address
};

struct PatternCost {
  std::uint32_t passes = 0;
  std::uint32_t ideal = 0;
  std::uint32_t multiplicity = 0;
};

/// Distinct 32-byte sectors that the active lanes touch, and the fewest that could hold as many
/// distinct bytes.
/// @param addresses  32 device addresses; only active lanes' count
/// @param width      bytes a lane accesses, 1 to 32
[[nodiscard]] PatternCost sector_cost(const std::uint64_t* addresses, std::uint32_t mask,
                                      std::uint32_t width, PatternMemo& memo);

/// Wavefronts of a shared access: 32 banks of 4 bytes; 8-byte accesses are served half a warp at a
/// time, 16-byte ones a quarter. Equal words are broadcast.
/// @param offsets  32 byte offsets in shared memory
[[nodiscard]] PatternCost wavefront_cost(const std::uint32_t* offsets, std::uint32_t mask,
                                         std::uint32_t width, PatternMemo& memo);

/// Wavefronts of a shared atomic: lanes on the same word serialise.
[[nodiscard]] PatternCost shared_atomic_cost(const std::uint32_t* offsets, std::uint32_t mask,
                                             std::uint32_t width, PatternMemo& memo);

/// Distinct sectors and largest multiplicity of a global atomic.
[[nodiscard]] PatternCost atomic_cost(const std::uint64_t* addresses, std::uint32_t mask,
                                      std::uint32_t width, PatternMemo& memo);

}  // namespace warpsim
