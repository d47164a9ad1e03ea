// verdict: fails-performance
// pitfall: P75
// caught-by: performance
// Right and without branches, but all four curves are computed for each sample.
#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void curves(const float* in, float* out, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= samples) return;
  const float v = in[i];
  const int channel = i % 4;
  out[i] = (channel == 0) * red_curve(v) + (channel == 1) * green_curve(v) +
           (channel == 2) * blue_curve(v) + (channel == 3) * alpha_curve(v);
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(4 * pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, 4 * pixels);
}
