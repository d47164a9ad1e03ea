#include "paths.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// 256 samples per block are loaded in order, and worked on channel by channel: warps 0 and 1 have
// red, 2 and 3 green, and so on.
__global__ void curves(const float* in, float* out, int samples) {
  __shared__ float tile[4][kBlock / 4 + 1];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < samples) tile[t % 4][t / 4] = in[i];
  __syncthreads();

  const int channel = t / (kBlock / 4);
  const int pixel = t % (kBlock / 4);
  const int sample = blockIdx.x * kBlock + 4 * pixel + channel;
  if (sample < samples) {
    float v = tile[channel][pixel];
    if (channel == 0)
      v = red_curve(v);
    else if (channel == 1)
      v = green_curve(v);
    else if (channel == 2)
      v = blue_curve(v);
    else
      v = alpha_curve(v);
    out[i] = v;
  }
}

void apply_curves(const float* in, float* out, int pixels) {
  if (pixels == 0) return;
  const int samples = 4 * pixels;
  curves<<<(samples + kBlock - 1) / kBlock, kBlock>>>(in, out, samples);
  if (cudaGetLastError() != cudaSuccess) return;
}
