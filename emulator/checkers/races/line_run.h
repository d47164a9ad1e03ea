#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>

#include "emulator/checkers/races/epoch.h"

namespace warpsim {

constexpr std::uint64_t kRaceLineBytes = 128;

/// Consecutive lanes that access places at equal distances in a line, or one place. The distance is
/// the width for an array of elements, more for a member of an array of structures, and negative
/// where an array is walked from its end.
struct LineRun {
  std::uint64_t epoch = 0;  // a Epoch without its lane
  std::uint32_t block = 0;  // linear index
  std::uint32_t value = 0;  // of a write: hash of what was written; 0: unknown
  std::int16_t origin = 0;  // where lane 0 would be, from the start of the line
  std::uint8_t first = 0, last = 0;  // lanes
  std::uint8_t width = 0;  // bytes per lane
  std::int8_t stride = 0;  // bytes from a lane to the next: 0, or no less than the width
  bool uniform = false;  // all lanes write one value, and `value` is that one's hash
  bool settled = false;  // the grid's shadow has it
  bool was_read = false;  // a write: it stands for a read that came before, too

  [[nodiscard]] Epoch what() const { return {epoch}; }
  // Bytes of the line: [begin, end), between which there may be gaps.
  [[nodiscard]] int begin() const {
    return std::max(0, origin + (stride < 0 ? last : first) * stride);
  }
  [[nodiscard]] int end() const {
    return std::min(static_cast<int>(kRaceLineBytes),
                    origin + (stride < 0 ? first : last) * stride + width);
  }
  /// There are bytes between its lanes' that it does not access.
  [[nodiscard]] bool has_gaps() const {
    return first != last && stride != 0 && stride != width && stride != -width;
  }
  /// Whether some lane accesses a byte of [begin, end).
  [[nodiscard]] bool has(int byte) const;
  /// Whether its lanes' places and those of another are members of one array of structures.
  [[nodiscard]] bool same_lattice(const LineRun& other) const {
    return width == other.width && stride == other.stride && (origin - other.origin) % stride == 0;
  }
  /// The first byte that both access; -1: none.
  [[nodiscard]] int first_common(const LineRun& other) const;
  [[nodiscard]] bool covers(const LineRun& other) const;
  /// Atomics that meet others of their kind.
  [[nodiscard]] bool is_update() const {
    const Epoch access = what();
    return access.write() && access.strong() && !access.narrow_scope() && value == 0;
  }
  /// Each lane accesses a word.
  [[nodiscard]] bool is_of_words() const { return width == 4 && ((origin | stride) & 3) == 0; }
  /// Calls `use` with each byte that a lane accesses.
  template <class F>
  void for_bytes(F use) const {
    for (int byte = begin(); byte < end(); ++byte) {
      if (has(byte)) use(static_cast<std::size_t>(byte));
    }
  }
  [[nodiscard]] bool same_shape(const LineRun& other) const {
    return origin == other.origin && first == other.first && last == other.last &&
           width == other.width && stride == other.stride;
  }
  /// The lane that accesses a byte; of several, one that is not `other`.
  [[nodiscard]] std::uint32_t lane_at(int byte, std::uint32_t other = ~0u) const;

 private:
  /// How far a byte is above the place of lane 0, or below its end where the stride is negative.
  [[nodiscard]] int distance_of(int byte) const {
    return stride < 0 ? origin + width - 1 - byte : byte - origin;
  }
};

/// Some bytes of a line.
using LineBytes = std::bitset<kRaceLineBytes>;
/// Those that a run touches.
[[nodiscard]] LineBytes bytes_of(const LineRun& run);

}  // namespace warpsim
