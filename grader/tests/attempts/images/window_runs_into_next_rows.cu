#include "images.h"
#include <cuda_runtime.h>

typedef unsigned char uchar;

__global__ void gray_pixels(const uchar* rgb, uchar* gray, int height, int width)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < width && y < height) {
        const uchar* p = rgb + (y * width + x) * 3;
        gray[y * width + x] = (3 * p[0] + 6 * p[1] + 1 * p[2]) / 10;
    }
}

__global__ void blur_pixels(const uchar* image, uchar* blurred, int height, int width, int radius)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x < width && y < height) {
        int pixVal = 0;
        int pixels = 0;
        for (int dy = -radius; dy <= radius; dy++) {
            for (int dx = -radius; dx <= radius; dx++) {
                int at = (y + dy) * width + x + dx;
                if (at >= 0 && at < height * width) {
                    pixVal += image[at];
                    pixels++;
                }
            }
        }
        blurred[y * width + x] = (uchar)(pixVal / pixels);
    }
}

void to_gray(const uchar* rgb, uchar* gray, int height, int width)
{
    if (height * width == 0)
        return;
    gray_pixels<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(rgb, gray, height, width);
    cudaGetLastError();
}

void box_blur(const uchar* image, uchar* blurred, int height, int width, int radius)
{
    if (height * width == 0)
        return;
    blur_pixels<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(image, blurred, height, width, radius);
    cudaGetLastError();
}
