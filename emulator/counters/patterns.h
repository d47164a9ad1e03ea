#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "emulator/counters/cache.h"
#include "emulator/isa/lane_shape.h"

namespace warpsim {

/// The last address pattern of a memory instruction and its cost. Sectors, lines and bank conflicts
/// do not change if all addresses are shifted by a multiple of 128 bytes, so equal relative
/// addresses need not be counted again.
struct PatternMemo {
  static constexpr std::uint32_t kLines = 8;

  LaneShape shape;
  std::uint32_t phase = 0;  // first address modulo 128
  std::uint16_t passes = 0;  // sectors or wavefronts
  std::uint16_t ideal = 0;
  std::uint16_t multiplicity = 0;  // atomics: largest number of lanes on one address
  std::uint16_t distinct = 0;  // atomics: addresses
  std::uint16_t bytes = 0;  // of global memory, each counted once; 0: not known for this shape
  /// The request writes every byte of its sectors.
  bool whole_sectors = false;
  std::uint8_t space = 0;  // of the addresses, if an instruction may use several
  std::uint8_t lines = 0;  // 128-byte lines touched
  bool lists_lines = false;  // not more than kLines, and near enough
  std::uint8_t sectors_of[kLines] = {};  // mask for each line
  std::int32_t line[kLines] = {};  // relative to the first active lane's line
};

/// Records the lanes' addresses without their cost.
void learn_shape(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                 PatternMemo& memo);
void learn_shape(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width,
                 PatternMemo& memo);

/// Lists the addresses of the lanes in `mask`, ascending. @returns how many there are
std::uint32_t sort_addresses(const std::uint64_t* addresses, std::uint32_t mask,
                             std::uint64_t* sorted);

/// Calls `use` with each address of an ascending list and how often it is there.
template <class Use>
void for_places(const std::uint64_t* sorted, std::uint32_t count, Use use) {
  for (std::uint32_t i = 0; i < count;) {
    std::uint32_t next = i;
    while (next < count && sorted[next] == sorted[i]) ++next;
    use(sorted[i], next - i);
    i = next;
  }
}

/// The same for the sectors of atomics, each by its first address: with how many passes it takes,
/// of which each has one lane of every remaining address.
template <class Use>
void for_atomic_sectors(const std::uint64_t* sorted, std::uint32_t count, Use use) {
  std::uint64_t first = 0;
  std::uint32_t turns = 0;
  for_places(sorted, count, [&](std::uint64_t address, std::uint32_t alike) {
    if (turns != 0 && address / kSectorBytes == first / kSectorBytes) {
      turns = std::max(turns, alike);
      return;
    }
    if (turns != 0) use(first, turns);
    first = address;
    turns = alike;
  });
  if (turns != 0) use(first, turns);
}

struct PatternCost {
  std::uint32_t passes = 0;
  std::uint32_t ideal = 0;
  std::uint32_t multiplicity = 0;
  std::uint32_t distinct = 0;
  std::uint32_t lines = 0;  // of global memory
};

/// Lines that a request touches, each with a mask of its four sectors, by ascending address.
struct LineList {
  std::uint32_t count = 0;
  std::uint64_t line[64];  // address / 128
  std::uint8_t sectors[64];
};

/// Distinct 32-byte sectors accessed by the active lanes, and the minimum for as many distinct
/// bytes.
/// @param addresses  32 device addresses; only active lanes' count
/// @param width      bytes per lane, 1 to 32
[[nodiscard]] PatternCost sector_cost(const std::uint64_t* addresses, std::uint32_t mask,
                                      std::uint32_t width, PatternMemo& memo);

/// Wavefronts of a shared access: 32 banks of 4 bytes; 8-byte accesses are served half a warp at a
/// time, 16-byte ones a quarter, and twice as many lanes if all pairs of neighbours, or of next
/// neighbours, access the same address. Equal words are broadcast.
/// @param offsets  32 byte offsets in shared memory
[[nodiscard]] PatternCost wavefront_cost(const std::uint32_t* offsets, std::uint32_t mask,
                                         std::uint32_t width, PatternMemo& memo);

/// Wavefronts of a shared atomic: lanes on the same word serialise.
[[nodiscard]] PatternCost shared_atomic_cost(const std::uint32_t* offsets, std::uint32_t mask,
                                             std::uint32_t width, PatternMemo& memo);

/// Sectors of a global atomic, its largest multiplicity and its distinct addresses. Lanes on the
/// same address are serialized, and every pass counts its sectors.
/// @param combined  the lanes, which have one address, are reduced within the warp first
[[nodiscard]] PatternCost atomic_cost(const std::uint64_t* addresses, std::uint32_t mask,
                                      std::uint32_t width, bool combined, PatternMemo& memo);

/// The lines of a request with more lines than the memo can list.
void list_lines(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                LineList& lines);

/// Calls `use(line, sectors)` for each line of the last request of `memo`.
template <class Use>
[[gnu::always_inline]] inline void for_each_line(const std::uint64_t* addresses, std::uint32_t mask,
                                                 std::uint32_t width, const PatternMemo& memo,
                                                 Use use) {
  if (memo.lists_lines) [[likely]] {
    const std::uint64_t first = addresses[std::countr_zero(mask)] / 128;
    for (std::uint32_t i = 0; i < memo.lines; ++i) {
      use(first + static_cast<std::uint64_t>(std::int64_t{memo.line[i]}), memo.sectors_of[i]);
    }
    return;
  }
  LineList lines;
  list_lines(addresses, mask, width, lines);
  for (std::uint32_t i = 0; i < lines.count; ++i) use(lines.line[i], lines.sectors[i]);
}

}  // namespace warpsim
