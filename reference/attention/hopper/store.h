#pragma once

// Of attention in half precision: a warp's 16 queries x 64 or 128 outputs leave from registers. A
// lane has of every eight columns two adjacent ones, in two rows that are eight apart.

#include <cuda_fp16.h>

#include <cstdint>

#include "labs/tensor/sm90.h"

namespace sm90 {

/// Divides the sums by the sum of the weights, and stores 16 bytes at a time, of the first `rows`
/// queries.
template <int kSums>
__device__ __forceinline__ void store_quotients(const float (&sums)[kSums],
                                                const float (&weights)[2], __half* out, int lane,
                                                int rows = 16) {
  constexpr int kDepth = 2 * kSums;
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    float total = weights[row];
    total += __shfl_xor_sync(0xffffffffu, total, 1);
    total += __shfl_xor_sync(0xffffffffu, total, 2);
    const float factor = 1 / total;
#pragma unroll
    for (int j = 0; j < kDepth / 32; ++j) {
      std::uint32_t words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int from = 4 * (4 * j + i) + 2 * row;
        const __half2 pair = __floats2half2_rn(sums[from] * factor, sums[from + 1] * factor);
        words[i] = reinterpret_cast<const std::uint32_t&>(pair);
      }
      transpose_in_quad(words, lane);
      if (lane / 4 + 8 * row >= rows) continue;
      *reinterpret_cast<uint4*>(out + (lane / 4 + 8 * row) * kDepth + 32 * j + lane % 4 * 8) =
          make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
}

}  // namespace sm90
