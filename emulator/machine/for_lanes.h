#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpsim {

/// Calls `f` with the number of each lane in `mask`, in order. For code that is compiled once;
/// instruction handlers have for_each_lane (isa/lanes.h).
template <class Lane = std::size_t, class F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<Lane>(std::countr_zero(mask)));
}

}  // namespace warpsim
