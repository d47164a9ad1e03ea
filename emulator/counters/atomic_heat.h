#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

/// Where atomics come how often, by a hash of the place: what the longest takes bounds the time.
/// Fitted to an H200 (docs/cost-model.md): a slice of the second level has every other 256 bytes of
/// an aligned kibibyte and makes one pass at a time, and floating-point updates of a sector wait
/// for each other.
class AtomicHeat {
 public:
  /// @param passes  over the sector at `address`
  void add(std::uint64_t address, std::uint32_t passes, bool is_float);
  void operator+=(const AtomicHeat& other);
  /// Cycles of the place that takes longest.
  [[nodiscard]] double hottest_cycles() const;

 private:
  std::vector<std::uint64_t> slices_;  // empty at first
  std::vector<std::uint64_t> float_sectors_;
};

/// Cycles of a slice for a pass of an atomic.
constexpr double kAtomicPassCycles = 1.4;

}  // namespace warpsim
