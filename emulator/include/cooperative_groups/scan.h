#pragma once

#include "details_operators.h"

#if defined(__CUDA__)

namespace cooperative_groups {

/// Thread i of a tile or of coalesced threads gets the combination of values 0 to i.
template <class Group, class T, class Operation>
WARPGRADE_DEVICE T inclusive_scan(const Group& group, T value, Operation&& operation) {
  const unsigned rank = group.thread_rank();
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = operation(other, value);
  }
  return value;
}
template <class Group, class T>
WARPGRADE_DEVICE T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
/// The same of values 0 to i - 1. Thread 0 gets T{} here; its value is unspecified for operations
/// other than addition.
template <class Group, class T, class Operation>
WARPGRADE_DEVICE T exclusive_scan(const Group& group, T value, Operation&& operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
WARPGRADE_DEVICE T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
