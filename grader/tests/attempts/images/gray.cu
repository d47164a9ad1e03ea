#include "images.h"
#include <cuda_runtime.h>
#include <stdio.h>

typedef unsigned char byte;

#define BX 16
#define BY 16
#define LAUNCH_OK() do { cudaError_t e = cudaGetLastError(); if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e)); } while (0)

// weights 0.3, 0.6, 0.1 -- without floats
__global__ void grayKernel(const byte *rgb, byte *gray, int h, int w)
{
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (x >= w || y >= h) return;
    int i = y * w + x;
    int red   = 3 * rgb[3 * i]     / 10;
    int green = 6 * rgb[3 * i + 1] / 10;
    int blue  = 1 * rgb[3 * i + 2] / 10;
    gray[i] = red + green + blue;
}

__global__ void blurKernel(const byte *img, byte *out, int h, int w, int rad)
{
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    if (x >= w || y >= h) return;

    int x0 = max(x - rad, 0), x1 = min(x + rad, w - 1);
    int y0 = max(y - rad, 0), y1 = min(y + rad, h - 1);
    int total = 0;
    for (int yy = y0; yy <= y1; yy++)
        for (int xx = x0; xx <= x1; xx++)
            total += img[yy * w + xx];
    out[y * w + x] = total / ((x1 - x0 + 1) * (y1 - y0 + 1));
}

void to_gray(const byte *rgb, byte *gray, int height, int width)
{
    if (!height || !width) return;
    dim3 b(BX, BY), g((width + BX - 1) / BX, (height + BY - 1) / BY);
    grayKernel<<<g, b>>>(rgb, gray, height, width);
    LAUNCH_OK();
}

void box_blur(const byte *image, byte *blurred, int height, int width, int radius)
{
    if (!height || !width) return;
    dim3 b(BX, BY), g((width + BX - 1) / BX, (height + BY - 1) / BY);
    blurKernel<<<g, b>>>(image, blurred, height, width, radius);
    LAUNCH_OK();
}
