// verdict: fails-concept
// pitfall: P63
// caught-by: concept uniform
// Right, but neighboring threads take different paths.
#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void curves(const float* in, float* out, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  if (i % 4 == 0) {
    out[i] = red_curve(in[i]);
  } else if (i % 4 == 1) {
    out[i] = green_curve(in[i]);
  } else if (i % 4 == 2) {
    out[i] = blue_curve(in[i]);
  } else {
    out[i] = alpha_curve(in[i]);
  }
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(4 * pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, 4 * pixels);
}
