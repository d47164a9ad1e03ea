#include "emulator/counters/patterns.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/counters/cache.h"
#include "emulator/isa/each_width.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

/// Sorts 32 distances without branches: each goes where as many are smaller.
/// @param values  below the largest number
WARPSIM_EACH_WIDTH
void sort_by_rank(const std::int32_t* values, std::int32_t* sorted) {
  alignas(64) std::int32_t rank[kLanes] = {};
  for (std::int32_t j = 0; j < static_cast<std::int32_t>(kLanes); ++j) {
    const std::int32_t other = values[j];
    // Of equal ones, the first comes first.
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(kLanes); ++i) {
      rank[i] += other < values[i] + (j < i ? 1 : 0) ? 1 : 0;
    }
  }
  for (std::uint32_t i = 0; i < kLanes; ++i) sorted[rank[i]] = values[i];
}

/// Sorts what a warp's lanes access, which mostly ascends with the lane already.
template <class T>
void sort_values(T* values, std::uint32_t count) {
  if (std::is_sorted(values, values + count)) return;
  constexpr std::uint64_t kFar = (std::uint64_t{1} << 31) - 1;
  constexpr std::uint32_t kFew = 8;
  const auto [least, most] = std::minmax_element(values, values + count);
  const T base = *least;
  if (count <= kFew || count > kLanes || std::uint64_t{*most - base} >= kFar) {
    std::sort(values, values + count);
    return;
  }
  alignas(64) std::int32_t distance[kLanes];
  alignas(64) std::int32_t sorted[kLanes];
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    // Those that there are not come last.
    distance[i] = static_cast<std::int32_t>(i < count ? values[i] - base : kFar - 1);
  }
  sort_by_rank(distance, sorted);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = base + static_cast<T>(sorted[i]);
}

/// Sorts and drops duplicates; returns how many remain.
template <class T>
std::uint32_t distinct(T* values, std::uint32_t count) {
  sort_values(values, count);
  return static_cast<std::uint32_t>(std::unique(values, values + count) - values);
}

/// The largest number of equal values.
template <class T>
std::uint32_t largest_multiplicity(T* values, std::uint32_t count) {
  sort_values(values, count);
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < count;) {
    std::uint32_t j = i;
    while (j < count && values[j] == values[i]) ++j;
    best = std::max(best, j - i);
    i = j;
  }
  return best;
}

/// Computes the values that follow from the shape's relative addresses and mask.
void describe(LaneShape& shape, std::uint32_t width) {
  ++shape.version;
  shape.low = shape.high = 0;
  shape.bits = 0;
  std::uint32_t lanes = 0;
  for (std::uint32_t h = 0; h < 2; ++h) {
    const std::uint32_t mask = shape.mask >> (16 * h) & 0xffff;
    if (mask == 0) {
      shape.half[h] = LaneShape::Half::none;
      continue;
    }
    const std::uint32_t* const places = shape.relative + 16 * h;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
    std::uint32_t off_place = 0;
    std::uint32_t off_row = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const auto place = static_cast<std::int32_t>(places[lane]);
      shape.low = std::min(shape.low, place);
      shape.high = std::max(shape.high, place);
      shape.bits |= places[lane];
      off_place |= places[lane] ^ places[first];
      off_row |= places[lane] ^ (places[first] + (lane - first) * width);
      ++lanes;
    }
    // A single lane is both.
    shape.half[h] = off_row == 0     ? LaneShape::Half::row
                    : off_place == 0 ? LaneShape::Half::same
                                     : LaneShape::Half::scattered;
    const std::uint32_t back = off_row == 0 ? first * width : 0;
    shape.origin[h] = static_cast<std::int32_t>(places[first] - back);
  }
  shape.bytes = lanes * width;
  const bool goes_on = shape.half[1] == LaneShape::Half::row &&
                       shape.origin[1] - shape.origin[0] == static_cast<std::int32_t>(16 * width);
  shape.one_row =
      shape.half[0] == LaneShape::Half::row && (goes_on || shape.half[1] == LaneShape::Half::none);
}

/// Whether the memo is for the same relative addresses; otherwise prepares it for them.
template <class T>
bool recall(const T* addresses, std::uint32_t mask, std::uint32_t width, PatternMemo& memo) {
  const T first = addresses[std::countr_zero(mask)];
  alignas(64) std::uint32_t relative[kLanes];
  std::uint32_t difference = 0;
  T far = 0;  // distances are stored in 32 bits; larger ones never match
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    const T distance = addresses[i] - first;
    relative[i] = static_cast<std::uint32_t>(distance);
    difference |= relative[i] ^ memo.shape.relative[i];
    if constexpr (sizeof(T) == 8) far |= (distance + 0x8000'0000u) >> 32;
  }
  const auto phase = static_cast<std::uint32_t>(first) & (kLineBytes - 1);
  const bool same_shape = difference == 0 && far == 0 && memo.shape.mask == mask;
  if (same_shape && memo.phase == phase) return true;
  memo.phase = phase;
  memo.distinct = 0;
  memo.multiplicity = 0;
  if (same_shape) return false;
  memo.bytes = 0;
  std::memcpy(memo.shape.relative, relative, sizeof relative);
  memo.shape.mask = far == 0 ? mask : 0;
  describe(memo.shape, width);
  return false;
}

PatternCost cost_of(const PatternMemo& memo) {
  return {memo.passes, memo.ideal, memo.multiplicity, memo.distinct, memo.lines};
}

/// Distinct sectors of lanes that access [address, address + width), ascending.
std::uint32_t list_sectors(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                           std::uint64_t* sectors) {
  std::uint32_t touched = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t a = addresses[std::countr_zero(rest)];
    for (std::uint64_t s = a / kSectorBytes; s <= (a + width - 1) / kSectorBytes; ++s) {
      sectors[touched++] = s;
    }
  }
  return distinct(sectors, touched);
}

void group_lines(const std::uint64_t* sectors, std::uint32_t count, LineList& lines) {
  lines.count = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t line = sectors[i] / kSectorsPerLine;
    if (lines.count == 0 || lines.line[lines.count - 1] != line) {
      lines.line[lines.count] = line;
      lines.sectors[lines.count++] = 0;
    }
    lines.sectors[lines.count - 1] |=
        static_cast<std::uint8_t>(1u << static_cast<unsigned>(sectors[i] % kSectorsPerLine));
  }
}

/// Bytes that the lanes access, each counted once.
std::uint32_t count_bytes(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width) {
  std::uint64_t starts[kLanes];
  std::uint32_t lanes = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    starts[lanes++] = addresses[std::countr_zero(rest)];
  }
  // Accesses are aligned to their width, so equal starts are the only overlaps.
  return distinct(starts, lanes) * width;
}

/// The sectors of lanes that are near each other, as bits from the lowest line on.
/// @param lowest  that line, relative to the first active lane's
std::uint64_t sector_bits(const LaneShape& shape, std::uint32_t phase, std::uint32_t width,
                          std::int32_t lowest) {
  const std::uint32_t from = phase - static_cast<std::uint32_t>(lowest) * kLineBytes;
  std::uint64_t bits = 0;
  for (std::uint32_t rest = shape.mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t place = from + shape.relative[std::countr_zero(rest)];
    const std::uint32_t last = (place + width - 1) / kSectorBytes;
    for (std::uint32_t s = place / kSectorBytes; s <= last; ++s) bits |= std::uint64_t{1} << s;
  }
  return bits;
}

/// Fills the memo's lines. @returns the number of sectors
std::uint32_t list_near_lines(const std::uint64_t bits, std::int32_t lowest, PatternMemo& memo) {
  constexpr std::uint64_t kLine = (1u << kSectorsPerLine) - 1;
  memo.lines = 0;
  for (std::uint64_t rest = bits; rest != 0;) {
    const int line = std::countr_zero(rest) / static_cast<int>(kSectorsPerLine);
    const int shift = line * static_cast<int>(kSectorsPerLine);
    if (memo.lines < PatternMemo::kLines) {
      memo.line[memo.lines] = lowest + line;
      memo.sectors_of[memo.lines] = static_cast<std::uint8_t>(bits >> shift & kLine);
    }
    ++memo.lines;
    rest &= ~(kLine << shift);
  }
  memo.lists_lines = memo.lines <= PatternMemo::kLines;
  return static_cast<std::uint32_t>(std::popcount(bits));
}

/// The same of lanes that may be anywhere.
std::uint32_t list_far_lines(const std::uint64_t* addresses, std::uint32_t mask,
                             std::uint32_t width, PatternMemo& memo) {
  std::uint64_t sectors[kLanes * 2];
  const std::uint32_t touched = list_sectors(addresses, mask, width, sectors);
  LineList lines;
  group_lines(sectors, touched, lines);
  memo.lines = static_cast<std::uint8_t>(lines.count);
  memo.lists_lines = lines.count <= PatternMemo::kLines;
  const std::uint64_t first = addresses[std::countr_zero(mask)] / kLineBytes;
  for (std::uint32_t i = 0; memo.lists_lines && i < lines.count; ++i) {
    const auto delta = static_cast<std::int64_t>(lines.line[i] - first);
    memo.line[i] = static_cast<std::int32_t>(delta);
    memo.sectors_of[i] = lines.sectors[i];
    // Too far for the memo: listed again each time.
    if (memo.line[i] != delta) memo.lists_lines = false;
  }
  return touched;
}

/// Fills the memo's sectors and lines.
void count_sectors(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   PatternMemo& memo) {
  const LaneShape& shape = memo.shape;
  if (memo.bytes == 0) memo.bytes = static_cast<std::uint16_t>(count_bytes(addresses, mask, width));
  const auto begin = std::int64_t{memo.phase} + shape.low;
  const auto lowest = static_cast<std::int32_t>(begin >> std::countr_zero(kLineBytes));
  const std::int64_t end = std::int64_t{memo.phase} + shape.high + width;
  const bool near = shape.mask != 0 && end - std::int64_t{lowest} * kLineBytes <= 64 * kSectorBytes;
  const std::uint32_t touched =
      near ? list_near_lines(sector_bits(shape, memo.phase, width, lowest), lowest, memo)
           : list_far_lines(addresses, mask, width, memo);
  memo.passes = static_cast<std::uint16_t>(touched);
  memo.ideal = static_cast<std::uint16_t>((memo.bytes + kSectorBytes - 1) / kSectorBytes);
  memo.whole_sectors = memo.bytes == touched * kSectorBytes;
}

/// The largest number of distinct words in one bank for the lanes in `mask`.
std::uint32_t bank_passes(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width) {
  std::uint32_t words[kLanes * 4];
  std::uint32_t count = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint32_t offset = offsets[std::countr_zero(rest)];
    for (std::uint32_t b = 0; b < width; b += kBankBytes)
      words[count++] = (offset + b) / kBankBytes;
  }
  count = distinct(words, count);
  std::uint32_t load[kBanks] = {};
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < count; ++i) most = std::max(most, ++load[words[i] % kBanks]);
  return most;
}

/// Whether every active lane accesses the same address as its partner, lane ^ distance, if that is
/// active.
bool pairs_agree(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t distance) {
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t partner = lane ^ distance;
    if ((mask >> partner & 1) != 0 && offsets[lane] != offsets[partner]) return false;
  }
  return true;
}

/// Lanes that are served together: all for up to 4 bytes, half a warp for 8, a quarter for 16, and
/// twice as many if pairs of lanes access the same address.
std::uint32_t lanes_together(const std::uint32_t* offsets, std::uint32_t mask,
                             std::uint32_t width) {
  if (width <= 4) return kLanes;
  const std::uint32_t lanes = width == 8 ? kLanes / 2 : kLanes / 4;
  return pairs_agree(offsets, mask, 1) || pairs_agree(offsets, mask, 2) ? 2 * lanes : lanes;
}

}  // namespace

void learn_shape(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                 PatternMemo& memo) {
  if (mask != 0) static_cast<void>(recall(addresses, mask, width, memo));
}

void learn_shape(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width,
                 PatternMemo& memo) {
  if (mask != 0) static_cast<void>(recall(offsets, mask, width, memo));
}

PatternCost sector_cost(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                        PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(addresses, mask, width, memo)) count_sectors(addresses, mask, width, memo);
  return cost_of(memo);
}

PatternCost wavefront_cost(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width,
                           PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(offsets, mask, width, memo)) {
    const std::uint32_t together = lanes_together(offsets, mask, width);
    std::uint32_t passes = 0;
    std::uint32_t ideal = 0;
    for (std::uint32_t first = 0; first < kLanes; first += together) {
      const std::uint32_t part =
          together == kLanes ? mask : mask & (((1u << together) - 1) << first);
      if (part == 0) continue;
      passes += bank_passes(offsets, part, width);
      ++ideal;
    }
    memo.passes = static_cast<std::uint16_t>(passes);
    memo.ideal = static_cast<std::uint16_t>(ideal);
  }
  return cost_of(memo);
}

PatternCost shared_atomic_cost(const std::uint32_t* offsets, std::uint32_t mask,
                               std::uint32_t width, PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(offsets, mask, width, memo)) {
    std::uint32_t load[kBanks] = {};
    std::uint32_t values[kLanes];
    std::uint32_t lanes = 0;
    std::uint32_t most = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      const std::uint32_t offset = offsets[std::countr_zero(rest)];
      values[lanes++] = offset / width;
      most = std::max(most, ++load[offset / kBankBytes % kBanks]);
    }
    memo.passes = static_cast<std::uint16_t>(most);
    memo.ideal = static_cast<std::uint16_t>(std::min(most, width > 4 ? 2u : 1u));
    memo.multiplicity = static_cast<std::uint16_t>(largest_multiplicity(values, lanes));
    memo.distinct = static_cast<std::uint16_t>(distinct(values, lanes));
  }
  return cost_of(memo);
}

PatternCost atomic_cost(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                        bool combined, PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(addresses, mask, width, memo)) {
    std::uint64_t sorted[kLanes];
    const std::uint32_t lanes = sort_addresses(addresses, mask, sorted);
    std::uint32_t multiplicity = 0;
    std::uint32_t apart = 0;
    for_places(sorted, lanes, [&](std::uint64_t, std::uint32_t alike) {
      multiplicity = std::max(multiplicity, alike);
      ++apart;
    });
    // Equal addresses are the only overlaps.
    memo.bytes = static_cast<std::uint16_t>(apart * width);
    count_sectors(addresses, mask, width, memo);
    memo.multiplicity = static_cast<std::uint16_t>(multiplicity);
    memo.distinct = static_cast<std::uint16_t>(apart);
    if (!combined && multiplicity > 1) {
      std::uint32_t passes = 0;
      for_atomic_sectors(sorted, lanes,
                         [&](std::uint64_t, std::uint32_t turns) { passes += turns; });
      memo.passes = static_cast<std::uint16_t>(passes);
    }
  }
  return cost_of(memo);
}

std::uint32_t sort_addresses(const std::uint64_t* addresses, std::uint32_t mask,
                             std::uint64_t* sorted) {
  std::uint32_t lanes = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    sorted[lanes++] = addresses[std::countr_zero(rest)];
  }
  sort_values(sorted, lanes);
  return lanes;
}

void list_lines(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                LineList& lines) {
  std::uint64_t sectors[kLanes * 2];
  group_lines(sectors, list_sectors(addresses, mask, width, sectors), lines);
}

}  // namespace warpsim
