// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced
// Right, but the lanes of a warp load samples that are 16 bytes apart.
#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ float curve(float v, int channel) {
  switch (channel) {
    case 0:
      return red_curve(v);
    case 1:
      return green_curve(v);
    case 2:
      return blue_curve(v);
    default:
      return alpha_curve(v);
  }
}

__global__ void curves(const float* in, float* out, int pixels) {
  const int warp = threadIdx.x / 32;
  const int channel = warp % 4;
  const int pixel = blockIdx.x * (kBlock / 4) + warp / 4 * 32 + threadIdx.x % 32;
  if (pixel < pixels) out[4 * pixel + channel] = curve(in[4 * pixel + channel], channel);
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(4 * pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, pixels);
}
