#pragma once

#include "../cooperative_groups.h"
#include "../warpgrade/copy_async.h"

#if defined(__CUDA__)

namespace cooperative_groups {

/// All threads of the group copy `bytes` together, from global to shared memory.
template <class Group, class T, class U>
WARPGRADE_DEVICE void memcpy_async(const Group& group, T* to, const U* from, size_t bytes) {
  warpgrade_cuda::copy_async(to, from, bytes, group.thread_rank(), group.size());
  __pipeline_commit();
}

/// Waits until at most the last Stages copies of this thread are in flight, and for the group.
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
