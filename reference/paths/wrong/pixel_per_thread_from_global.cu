// verdict: fails-concept
// pitfall: P62
// caught-by: concept coalesced
// Right, but a thread loads the samples of its pixel one by one.
#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void curves(const float* in, float* out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  out[4 * i] = red_curve(in[4 * i]);
  out[4 * i + 1] = green_curve(in[4 * i + 1]);
  out[4 * i + 2] = blue_curve(in[4 * i + 2]);
  out[4 * i + 3] = alpha_curve(in[4 * i + 3]);
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, pixels);
}
