#include "paths.h"
#include <cuda_runtime.h>

__global__ void curves(const float* in, float* out, int samples) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples) {
        float v = in[i];
        switch (i % 4) {
            case 0: out[i] = red_curve(v); 
            case 1: out[i] = green_curve(v); 
            case 2: out[i] = blue_curve(v); 
            case 3: out[i] = alpha_curve(v);
        }
    }
}

void apply_curves(const float* in, float* out, int pixels) {
    if (pixels == 0) return;
    int samples = 4 * pixels;
    curves<<<(samples + 255) / 256, 256>>>(in, out, samples);
    if (cudaGetLastError() != cudaSuccess) return;
}
