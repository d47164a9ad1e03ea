#include "emulator/counters/patterns.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpsim {
namespace {

constexpr std::uint32_t kLanes = 32;
constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

/// Sorts and drops duplicates; returns how many remain.
template <class T>
std::uint32_t distinct(T* values, std::uint32_t count) {
  std::sort(values, values + count);
  return static_cast<std::uint32_t>(std::unique(values, values + count) - values);
}

/// Largest number of equal values.
template <class T>
std::uint32_t largest_multiplicity(T* values, std::uint32_t count) {
  std::sort(values, values + count);
  std::uint32_t best = 0;
  for (std::uint32_t i = 0; i < count;) {
    std::uint32_t j = i;
    while (j < count && values[j] == values[i]) ++j;
    best = std::max(best, j - i);
    i = j;
  }
  return best;
}

/// True when the memo was made from the same relative addresses; else prepares it for them.
template <class T>
bool recall(const T* addresses, std::uint32_t mask, std::uint32_t phase_mask, PatternMemo& memo) {
  const T first = addresses[std::countr_zero(mask)];
  alignas(64) std::uint32_t relative[kLanes];
  std::uint32_t difference = 0;
  for (std::uint32_t i = 0; i < kLanes; ++i) {
    relative[i] = static_cast<std::uint32_t>(addresses[i] - first);
    difference |= relative[i] ^ memo.relative[i];
  }
  const auto phase = static_cast<std::uint32_t>(first) & phase_mask;
  if (difference == 0 && memo.mask == mask && memo.phase == phase) return true;
  std::memcpy(memo.relative, relative, sizeof relative);
  memo.mask = mask;
  memo.phase = phase;
  return false;
}

PatternCost cost_of(const PatternMemo& memo) {
  return {memo.passes, memo.ideal, memo.multiplicity};
}

/// Sectors and distinct bytes of lanes that access [address, address + width).
void count_sectors(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                   PatternMemo& memo) {
  std::uint64_t starts[kLanes];
  std::uint64_t sectors[kLanes * 2];
  std::uint32_t lanes = 0;
  std::uint32_t touched = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const std::uint64_t a = addresses[std::countr_zero(rest)];
    starts[lanes++] = a;
    for (std::uint64_t s = a / kSectorBytes; s <= (a + width - 1) / kSectorBytes; ++s) {
      sectors[touched++] = s;
    }
  }
  memo.passes = static_cast<std::uint16_t>(distinct(sectors, touched));
  // Accesses are aligned to their width, so equal starts are the only overlaps.
  const std::uint32_t bytes = distinct(starts, lanes) * width;
  memo.ideal = static_cast<std::uint16_t>((bytes + kSectorBytes - 1) / kSectorBytes);
}

/// The most distinct words that one bank has to serve for the lanes in `mask`.
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

/// Lanes that are served together: all for up to 4 bytes, half a warp for 8, a quarter for 16.
std::uint32_t lanes_together(std::uint32_t width) {
  return width <= 4 ? kLanes : width == 8 ? kLanes / 2 : kLanes / 4;
}

}  // namespace

PatternCost sector_cost(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                        PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(addresses, mask, kSectorBytes - 1, memo)) {
    count_sectors(addresses, mask, width, memo);
    memo.multiplicity = 0;
  }
  return cost_of(memo);
}

PatternCost wavefront_cost(const std::uint32_t* offsets, std::uint32_t mask, std::uint32_t width,
                           PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(offsets, mask, kBanks * kBankBytes - 1, memo)) {
    const std::uint32_t together = lanes_together(width);
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
    memo.multiplicity = 0;
  }
  return cost_of(memo);
}

PatternCost shared_atomic_cost(const std::uint32_t* offsets, std::uint32_t mask,
                               std::uint32_t width, PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(offsets, mask, kBanks * kBankBytes - 1, memo)) {
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
    memo.ideal = 1;
    memo.multiplicity = static_cast<std::uint16_t>(largest_multiplicity(values, lanes));
  }
  return cost_of(memo);
}

PatternCost atomic_cost(const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t width,
                        PatternMemo& memo) {
  if (mask == 0) return {};
  if (!recall(addresses, mask, kSectorBytes - 1, memo)) {
    count_sectors(addresses, mask, width, memo);
    std::uint64_t values[kLanes];
    std::uint32_t lanes = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      values[lanes++] = addresses[std::countr_zero(rest)];
    }
    memo.multiplicity = static_cast<std::uint16_t>(largest_multiplicity(values, lanes));
  }
  return cost_of(memo);
}

}  // namespace warpsim
