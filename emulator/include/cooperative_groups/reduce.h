#pragma once

#include "details_operators.h"

#if defined(__CUDA__)

namespace cooperative_groups {

/// Combines the values of a tile's or of coalesced threads; all get the result. `operation` is
/// associative and commutative.
template <unsigned Size, class Parent, class T, class Operation>
WARPGRADE_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T value,
                          Operation&& operation) {
  for (unsigned distance = Size / 2; distance > 0; distance /= 2) {
    value = operation(value, tile.shfl_xor(value, (int)distance));
  }
  return value;
}
template <class T, class Operation>
WARPGRADE_DEVICE T reduce(const coalesced_group& group, T value, Operation&& operation) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank + distance < size) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif
