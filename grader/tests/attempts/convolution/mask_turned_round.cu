#include "convolution.h"
#include <cuda_runtime.h>

// convolution: the kernel is mirrored, see wikipedia
__global__ void conv2d(const float* img, const float* mask, float* res, int h, int w, int mh, int mw) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= w || r >= h) return;
    float sum = 0;
    for (int i = 0; i < mh; i++) {
        for (int j = 0; j < mw; j++) {
            int y = r + i - mh / 2;
            int x = c + j - mw / 2;
            if (y < 0 || y >= h || x < 0 || x >= w) continue;
            sum += img[y * w + x] * mask[(mh - 1 - i) * mw + (mw - 1 - j)];
        }
    }
    res[r * w + c] = sum;
}

void convolution(const float* image, const float* mask, float* result, int height, int width, int mask_height, int mask_width) {
    if (height == 0 || width == 0) return;
    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    conv2d<<<grid, block>>>(image, mask, result, height, width, mask_height, mask_width);
    cudaError_t err = cudaGetLastError();
    (void)err;
}
