#pragma once

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__)

namespace cooperative_groups {

/// All threads of the group copy `bytes` together, from global to shared memory; the widest pieces
/// that both addresses and the size allow.
template <class Group, class T, class U>
WARPGRADE_DEVICE void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
  const size_t together = (size_t)to | (size_t)from | bytes;
  const size_t piece = together % 16 == 0 ? 16 : together % 8 == 0 ? 8 : together % 4 == 0 ? 4 : 1;
  for (size_t at = group.thread_rank() * piece; at < bytes; at += group.size() * piece) {
    if (piece == 1) {
      ((char*)to)[at] = ((const char*)from)[at];
    } else if (piece == 16) {
      __pipeline_memcpy_async((char*)to + at, (const char*)from + at, 16);
    } else if (piece == 8) {
      __pipeline_memcpy_async((char*)to + at, (const char*)from + at, 8);
    } else {
      __pipeline_memcpy_async((char*)to + at, (const char*)from + at, 4);
    }
  }
  __pipeline_commit();
}

/// Waits until at most the last Stages copies of this thread are under way, and for the group.
template <unsigned Stages, class Group>
WARPGRADE_DEVICE void wait_prior(const Group& group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}
template <class Group>
WARPGRADE_DEVICE void wait(const Group& group) {
  wait_prior<0>(group);
}

}  // namespace cooperative_groups

#endif
