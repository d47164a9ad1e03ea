#include "convolution.h"
#include <cuda_runtime.h>

#define MAX_MASK 31

__constant__ float M[MAX_MASK * MAX_MASK];

__global__ void conv2d(const float *N, float *P, int height, int width, int mh, int mw)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= width || row >= height)
        return;

    int start_row = row - mh / 2;
    int start_col = col - mw / 2;
    float pvalue = 0.0f;

    for (int i = 0; i < mh; ++i) {
        int r = start_row + i;
        if (r < 0 || r >= height)
            continue;
        for (int j = 0; j < mw; ++j) {
            int c = start_col + j;
            if (c < 0 || c >= width)
                break;
            pvalue += M[i * mw + j] * N[(size_t)r * width + c];
        }
    }
    P[(size_t)row * width + col] = pvalue;
}

void convolution(const float *image, const float *mask, float *result, int height, int width, int mask_height,
                 int mask_width)
{
    if (height == 0 || width == 0)
        return;
    cudaMemcpyToSymbol(M, mask, mask_height * mask_width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    dim3 block(32, 8);
    dim3 grid((width + 31) / 32, (height + 7) / 8);
    conv2d<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
    if (cudaGetLastError() != cudaSuccess)
        return;
}
