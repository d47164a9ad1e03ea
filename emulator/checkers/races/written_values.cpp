#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/checkers/races/hash.h"
#include "emulator/checkers/races/lines.h"
#include "emulator/checkers/races/written_values.h"
#include "emulator/isa/each_width.h"
#include "emulator/machine/context.h"

// What writes store: hashes of it, and for writes of one block that race, whether it is equal byte
// by byte.

namespace warpsim {
namespace {

const std::byte* memory_at(const LaunchState* launch, std::uint64_t place) {
  const Extent* const extent = launch == nullptr ? nullptr : launch->find(place);
  if (extent == nullptr || extent->allocation->host == nullptr) return nullptr;
  return extent->allocation->host + (place - extent->base);
}

/// Odd factors without a pattern, one per lane.
constexpr auto kFactors = [] {
  std::array<std::uint32_t, 32> factors = {};
  std::uint64_t state = 1;
  for (std::uint32_t& factor : factors) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    factor = static_cast<std::uint32_t>(state >> 32) | 1;
  }
  return factors;
}();

/// Of four bytes per lane, without a call for each.
[[gnu::always_inline]] inline void hash_words(const std::uint32_t* values, std::uint32_t begin,
                                              std::uint32_t end, LineRun& run) {
  const std::uint32_t first = values[begin];
  std::uint32_t difference = 0;
  std::uint64_t all = 0;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    difference |= values[lane] ^ first;
    all += std::uint64_t{values[lane]} * kFactors[lane];
  }
  run.uniform = difference == 0;
  run.value = static_cast<std::uint32_t>(mix(1, run.uniform ? first : all)) | 1;
}

constexpr std::uint32_t kMostWidth = 32;  // bytes per lane, of four elements of eight

std::uint32_t hash_lane(const std::byte* bytes, std::uint32_t width) {
  std::uint64_t h = 1;
  for (std::uint32_t at = 0; at < width; at += sizeof(h)) {
    std::uint64_t part = 0;
    std::memcpy(&part, bytes + at, std::min<std::uint32_t>(width - at, sizeof(part)));
    h = mix(h, part);
  }
  return static_cast<std::uint32_t>(h) | 1;
}

/// @param copy  copies what a lane writes: void(std::byte* to, std::size_t lane)
template <class Copy>
void hash_lanes(LineRun& run, Copy copy) {
  if (run.width == sizeof(std::uint32_t)) {
    std::uint32_t words[32];
    for (std::size_t lane = run.first; lane <= run.last; ++lane) {
      copy(reinterpret_cast<std::byte*>(&words[lane]), lane);
    }
    return hash_words(words, run.first, run.last + 1u, run);
  }
  std::byte bytes[kMostWidth];
  copy(bytes, run.first);
  const std::uint32_t first = hash_lane(bytes, run.width);
  std::uint64_t all = first;
  run.uniform = true;
  for (std::size_t lane = run.first + 1u; lane <= run.last; ++lane) {
    copy(bytes, lane);
    const std::uint32_t value = hash_lane(bytes, run.width);
    run.uniform = run.uniform && value == first;
    all = mix(all, value);
  }
  run.value = run.uniform ? first : static_cast<std::uint32_t>(all) | 1;
}

}  // namespace

WARPSIM_EACH_WIDTH
void set_value(LineRun& run, const StoredValues& values) {
  if (values.count == 1 && values.element_bytes == 4 && values.register_bytes == 4) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(values.registers[0]);
    if (run.first == 0 && run.last == 31) {
      hash_words(words, 0, 32, run);
    } else {
      hash_words(words, run.first, run.last + 1u, run);
    }
    return;
  }
  if (values.count * values.element_bytes != run.width || run.width > kMostWidth) return;
  hash_lanes(run, [&](std::byte* to, std::size_t lane) {
    for (std::uint32_t k = 0; k < values.count; ++k) {
      std::memcpy(to + k * values.element_bytes, values.registers[k] + lane * values.register_bytes,
                  values.element_bytes);
    }
  });
}

bool has_in_memory(const LaunchState& launch, const LineRun& run, std::uint64_t line_address) {
  if (run.width > kMostWidth) return false;
  const std::uint64_t begin = line_address + static_cast<std::uint64_t>(std::int64_t{run.origin});
  const auto place_of = [&](std::size_t lane) {
    return begin + static_cast<std::uint64_t>(static_cast<std::int64_t>(lane) * run.stride);
  };
  for (const std::size_t lane : {run.first, run.last}) {
    if (memory_at(&launch, place_of(lane)) == nullptr ||
        memory_at(&launch, place_of(lane) + run.width - 1) == nullptr) {
      return false;
    }
  }
  LineRun now = run;
  hash_lanes(now, [&](std::byte* to, std::size_t lane) {
    std::memcpy(to, memory_at(&launch, place_of(lane)), run.width);
  });
  return now.value == run.value && now.uniform == run.uniform;
}

bool LineJudge::is_of_access(Epoch old, std::uint64_t place) const {
  if (access == nullptr || old.with_lane(0) != access->epoch ||
      ((access->lanes >> old.lane()) & 1) == 0) {
    return false;
  }
  const std::uint64_t from = address_of(old.lane());
  return place >= from && place < from + access->width;
}

bool LineJudge::stores_the_same(Epoch old, Epoch now, int byte) const {
  if (among_blocks || access == nullptr || access->values == nullptr) return false;
  const std::uint64_t place = line_address + static_cast<std::uint64_t>(byte);
  const auto stored_by = [&](Epoch lane) {
    return access->values->byte(lane.lane(), place - address_of(lane.lane()));
  };
  // Of a cell, a lane may have less than all bytes.
  if (!is_of_access(now, place)) return true;
  if (is_of_access(old, place)) return stored_by(old) == stored_by(now);
  const std::byte* const there = memory_at(access->launch, place);
  return there != nullptr && *there == stored_by(now);
}

bool LineJudge::stores_the_same(const LineRun& old, const LineRun& now) const {
  const int end = std::min(old.end(), now.end());
  for (int byte = std::max(old.begin(), now.begin()); byte < end; ++byte) {
    if (!old.has(byte) || !now.has(byte)) continue;
    const std::uint32_t lane = now.lane_at(byte);
    const Epoch other = old.what().with_lane(old.lane_at(byte, lane));
    if (!stores_the_same(other, now.what().with_lane(lane), byte)) return false;
  }
  return true;
}

}  // namespace warpsim
