#include "images.h"
#include <cuda_runtime.h>

// A box blur is separable: first along rows, then along columns.

template <typename T>
__global__ void blur_rows(const unsigned char* in, T* out, int height, int width, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    for (; y < height; y += gridDim.y) {
        if (x >= width) return;
        int x0 = max(x - radius, 0), x1 = min(x + radius, width - 1);
        int sum = 0;
        for (int l = x0; l <= x1; l++) sum += in[y * width + l];
        out[y * width + x] = sum / (x1 - x0 + 1);
    }
}

template <typename T>
__global__ void blur_columns(const T* in, unsigned char* out, int height, int width, int radius) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    for (; y < height; y += gridDim.y) {
        if (x >= width) return;
        int y0 = max(y - radius, 0), y1 = min(y + radius, height - 1);
        int sum = 0;
        for (int k = y0; k <= y1; k++) sum += in[k * width + x];
        int number = y1 - y0 + 1;
        out[y * width + x] = sum / number;
    }
}

__global__ void gray_kernel(const unsigned char* rgb, unsigned char* gray, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) gray[i] = (3 * rgb[3 * i] + 6 * rgb[3 * i + 1] + 1 * rgb[3 * i + 2]) / 10;
}

void to_gray(const unsigned char* rgb, unsigned char* gray, int height, int width) {
    int n = height * width;
    if (n == 0) return;
    gray_kernel<<<(n + 511) / 512, 512>>>(rgb, gray, n);
}

void box_blur(const unsigned char* image, unsigned char* blurred, int height, int width, int radius) {
    if (height == 0 || width == 0) return;
    using Temp = unsigned char;
    Temp* rows;
    if (cudaMalloc(&rows, (size_t)height * width * sizeof(Temp)) != cudaSuccess) return;
    dim3 grid((width + 127) / 128, min(height, 4096));
    blur_rows<<<grid, 128>>>(image, rows, height, width, radius);
    blur_columns<<<grid, 128>>>(rows, blurred, height, width, radius);
    cudaFree(rows);
}
