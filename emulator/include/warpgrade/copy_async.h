#pragma once

#include "../cuda_pipeline_primitives.h"

#if defined(__CUDA__)

namespace warpgrade_cuda {

/// The threads of a group copy `bytes` together, in the widest pieces that both addresses and the
/// size allow: asynchronously from global to shared memory, otherwise synchronously. The caller
/// commits.
WARPGRADE_DEVICE void copy_async(void* to, const void* from, size_t bytes, unsigned rank,
                                 unsigned threads) {
  const size_t together = (size_t)to | (size_t)from | bytes;
  const size_t piece = together % 16 == 0 ? 16 : together % 8 == 0 ? 8 : together % 4 == 0 ? 4 : 1;
  const bool asynchronous = piece > 1 && __isShared(to) && __isGlobal(from);
  for (size_t at = rank * piece; at < bytes; at += threads * piece) {
    char* const target = (char*)to + at;
    const char* const source = (const char*)from + at;
    if (!asynchronous) {
      for (size_t i = 0; i < piece; ++i) target[i] = source[i];
    } else if (piece == 16) {
      __pipeline_memcpy_async(target, source, 16);
    } else if (piece == 8) {
      __pipeline_memcpy_async(target, source, 8);
    } else {
      __pipeline_memcpy_async(target, source, 4);
    }
  }
}

}  // namespace warpgrade_cuda

#endif
