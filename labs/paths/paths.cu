#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void curves(const float* in, float* out, int samples) {
  // TODO 1: which sample is this thread's, and which threads have none?

  // TODO 2: apply red_curve, green_curve, blue_curve or alpha_curve (paths.h).

  // TODO 4: once all cases pass: how many of the four curves does a warp execute, and how many of
  // its lanes work in each? Give the lanes of a warp samples of one channel, or give a thread all
  // four samples of a pixel.

  // TODO 5: which samples does a warp load at a time now? Let the block load its samples in their
  // order into a __shared__ array, and take them from there.
}

void apply_curves(const float* in, float* out, int pixels) {
  // in and out are in device memory already.

  // TODO 3: how many samples are that, and how many blocks? What if there are none? Launch the
  // kernel, and check the launch.
}
