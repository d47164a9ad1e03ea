#include "paths.h"

#include <cuda_runtime.h>

#define BLOCK 256

__device__ float curve(int channel, float v)
{
    float r = v;
    switch (channel) {
    case 0:
        r = red_curve(v);
    case 1:
        r = green_curve(v);
        break;
    case 2:
        r = blue_curve(v);
        break;
    case 3:
        r = alpha_curve(v);
        break;
    }
    return r;
}

__global__ void curves(const float *in, float *out, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples)
        out[i] = curve(i & 3, in[i]);
}

void apply_curves(const float *in, float *out, int pixels)
{
    int samples = 4 * pixels;
    if (samples == 0)
        return;
    curves<<<(samples + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, samples);
    if (cudaGetLastError() != cudaSuccess)
        return;
}
