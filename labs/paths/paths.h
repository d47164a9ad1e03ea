#pragma once

#include <cuda_runtime.h>

/// The curves of the four channels, for v from 0 to 1; so are their results.
__host__ __device__ inline float red_curve(float v) {
  float r = 0;
#pragma unroll 1
  for (int step = 0; step < 16; ++step) r += 0.125f * v * (1 - r);
  return r;
}
__host__ __device__ inline float green_curve(float v) {
  float r = v;
#pragma unroll 1
  for (int step = 0; step < 16; ++step) r -= 0.0625f * r * r;
  return r;
}
__host__ __device__ inline float blue_curve(float v) {
  float r = 0;
#pragma unroll 1
  for (int step = 0; step < 16; ++step) r = 0.75f * r + 0.25f * v * v;
  return r;
}
__host__ __device__ inline float alpha_curve(float v) {
  float r = v;
#pragma unroll 1
  for (int step = 0; step < 16; ++step) r += 0.125f * (v - r * r * r);
  return r;
}

/// Applies each channel's curve to a picture of `pixels` pixels, whose samples are red, green,
/// blue, alpha, red, green, ...: out[4 i] = red_curve(in[4 i]), out[4 i + 1] = green_curve(in[4 i +
/// 1]), and so on.
///
/// `in` and `out` are DEVICE pointers to 4 * pixels floats each, aligned to 4 bytes and no more;
/// they do not overlap. Samples are from 0 to 1. pixels is from 0 to 2^28; for 0 there is nothing
/// to do. Only `out` may be written. The function need not wait for its kernels.
void apply_curves(const float* in, float* out, int pixels);
