// Rung 4: a thread for each pixel. It has a sample of each channel, so there is nothing to decide.
#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void curves(const float* in, float* out, int samples) {
  __shared__ float tile[4][kBlock + 8];  // padded: a warp stores 4 channels of 8 pixels
  const int first = blockIdx.x * 4 * kBlock;
  for (int k = threadIdx.x; k < 4 * kBlock; k += kBlock)
    tile[k % 4][k / 4] = first + k < samples ? in[first + k] : 0;
  __syncthreads();
  tile[0][threadIdx.x] = red_curve(tile[0][threadIdx.x]);
  tile[1][threadIdx.x] = green_curve(tile[1][threadIdx.x]);
  tile[2][threadIdx.x] = blue_curve(tile[2][threadIdx.x]);
  tile[3][threadIdx.x] = alpha_curve(tile[3][threadIdx.x]);
  __syncthreads();
  for (int k = threadIdx.x; k < 4 * kBlock && first + k < samples; k += kBlock)
    out[first + k] = tile[k % 4][k / 4];
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  curves<<<(pixels + kBlock - 1) / kBlock, kBlock>>>(in, out, 4 * pixels);
}
