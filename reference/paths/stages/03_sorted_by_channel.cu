// Rung 3: the block loads its samples in their order, and sorts them by channel in shared memory.
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

constexpr int kPixels = kBlock / 4;  // per block

__global__ void curves(const float* in, float* out, int samples) {
  __shared__ float tile[4][kPixels + 8];  // padded: a warp stores 4 channels of 8 pixels
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float* own = &tile[threadIdx.x % 4][threadIdx.x / 4];
  *own = i < samples ? in[i] : 0;
  __syncthreads();
  const int channel = threadIdx.x / kPixels;  // the same for all lanes of a warp
  float* sample = &tile[channel][threadIdx.x % kPixels];
  *sample = curve(*sample, channel);
  __syncthreads();
  if (i < samples) out[i] = *own;
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(4 * pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, 4 * pixels);
}
