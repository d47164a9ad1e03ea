#include "paths.h"

#include <cuda_runtime.h>

// A warp has one channel. A block of 8 warps has 64 pixels, that is 256 samples.
constexpr int kThreads = 256;
constexpr int kPixelsPerBlock = kThreads / 4;

__global__ void curves_by_warp(const float* __restrict__ in, float* __restrict__ out, int pixels) {
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;

  const int channel = warp % 4;
  const int pixel = blockIdx.x * kPixelsPerBlock + lane;
  if (pixel >= pixels) return;

  const int at = 4 * pixel + channel;
  const float v = in[at];
  float result;
  if (channel == 0) {
    result = red_curve(v);
  } else if (channel == 1) {
    result = green_curve(v);
  } else if (channel == 2) {
    result = blue_curve(v);
  } else {
    result = alpha_curve(v);
  }
  out[at] = result;
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels <= 0) return;
  const int blocks = (pixels - 1) / kPixelsPerBlock + 1;
  curves_by_warp<<<blocks, kThreads>>>(in, out, pixels);
  if (cudaPeekAtLastError() != cudaSuccess) return;
}
