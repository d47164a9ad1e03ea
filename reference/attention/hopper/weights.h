#pragma once

#include <cuda_fp16.h>

#include <cstdint>

// Of attention in half precision: from a lane's 64 scores of 128 keys to weights.
namespace sm90 {

constexpr float kMasked = -1e30f;  // finite: a row with nothing else gives no NaN

__device__ __forceinline__ float power_of_two(float x) {
  float y = 0;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// A lane has parts of two queries, eight apart: of every eight columns, two adjacent ones.
struct Softmax {
  float largest[2];  // score so far
  float sum[2];  // of this lane's weights

  // Replaces the scores by weights. Returns by what the older sums have to be multiplied.
  template <bool kFirst>
  __device__ __forceinline__ float2 weigh(float (&scores)[64], float scale) {
    float factor[2];
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      float top = scores[2 * row];
#pragma unroll
      for (int j = 0; j < 16; ++j) {
        top = fmaxf(top, fmaxf(scores[4 * j + 2 * row], scores[4 * j + 2 * row + 1]));
      }
      top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 1));
      top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, 2));
      if (!kFirst) top = fmaxf(top, largest[row]);
      factor[row] = kFirst ? 0 : power_of_two((largest[row] - top) * scale);
      largest[row] = top;
      const float shift = top * scale;
      float added = 0;
#pragma unroll
      for (int j = 0; j < 16; ++j) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float& score = scores[4 * j + 2 * row + i];
          score = power_of_two(fmaf(score, scale, -shift));
          added += score;
        }
      }
      sum[row] = kFirst ? added : fmaf(sum[row], factor[row], added);
    }
    return make_float2(factor[0], factor[1]);
  }
};

__device__ __forceinline__ void to_half(const float (&scores)[64], std::uint32_t (&weights)[32]) {
#pragma unroll
  for (int i = 0; i < 32; ++i) {
    const __half2 pair = __floats2half2_rn(scores[2 * i], scores[2 * i + 1]);
    weights[i] = reinterpret_cast<const std::uint32_t&>(pair);
  }
}

__device__ __forceinline__ void mask(float (&scores)[64], int query, int lane) {
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    const int key = i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (key > query + i / 2 % 2 * 8) scores[i] = kMasked;
  }
}

}  // namespace sm90
