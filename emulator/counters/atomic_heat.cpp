#include "emulator/counters/atomic_heat.h"

#include <algorithm>
#include <cstddef>

#include "emulator/counters/cache.h"

namespace warpsim {
namespace {

constexpr std::size_t kBits = 14;
constexpr std::uint64_t kChunkBytes = 256;
constexpr std::uint64_t kRegionBytes = 1024;
/// Cycles between two floating-point updates of a sector.
constexpr double kFloatPassCycles = 3.5;

void add_at(std::vector<std::uint64_t>& heat, std::uint64_t place, std::uint32_t passes) {
  if (heat.empty()) heat.resize(std::size_t{1} << kBits);
  heat[(place * 0x9E3779B97F4A7C15u) >> (64 - kBits)] += passes;
}

void add_all(std::vector<std::uint64_t>& sums, const std::vector<std::uint64_t>& heat) {
  sums.resize(std::max(sums.size(), heat.size()));
  for (std::size_t i = 0; i < heat.size(); ++i) sums[i] += heat[i];
}

double largest(const std::vector<std::uint64_t>& heat) {
  return heat.empty() ? 0 : static_cast<double>(*std::ranges::max_element(heat));
}

}  // namespace

void AtomicHeat::add(std::uint64_t address, std::uint32_t passes, bool is_float) {
  add_at(slices_, address / kRegionBytes * 2 + address / kChunkBytes % 2, passes);
  if (is_float) add_at(float_sectors_, address / kSectorBytes, passes);
}

void AtomicHeat::operator+=(const AtomicHeat& other) {
  add_all(slices_, other.slices_);
  add_all(float_sectors_, other.float_sectors_);
}

double AtomicHeat::hottest_cycles() const {
  return std::max(kAtomicPassCycles * largest(slices_), kFloatPassCycles * largest(float_sectors_));
}

}  // namespace warpsim
