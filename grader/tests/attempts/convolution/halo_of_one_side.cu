#include "convolution.h"
#include <cuda_runtime.h>

constexpr int kTile = 16;
constexpr int kMaxSide = kTile + 30;

__constant__ float c_mask[31 * 31];

__global__ void convolveTiled(const float* image, float* result, int height, int width, int maskHeight, int maskWidth)
{
    __shared__ float tile[kMaxSide][kMaxSide];
    const int radiusY = maskHeight / 2;
    const int radiusX = maskWidth / 2;
    const int firstRow = blockIdx.y * kTile - radiusY;
    const int firstColumn = blockIdx.x * kTile - radiusX;

    // load the tile and its halo
    for (int y = threadIdx.y; y < kTile + radiusY; y += kTile)
    {
        for (int x = threadIdx.x; x < kTile + radiusX; x += kTile)
        {
            const int row = firstRow + y;
            const int column = firstColumn + x;
            const bool exists = row >= 0 && row < height && column >= 0 && column < width;
            tile[y][x] = exists ? image[row * width + column] : 0.0f;
        }
    }
    __syncthreads();

    const int row = blockIdx.y * kTile + threadIdx.y;
    const int column = blockIdx.x * kTile + threadIdx.x;
    if (row < height && column < width)
    {
        float sum = 0.0f;
        for (int i = 0; i < maskHeight; ++i)
        {
            for (int j = 0; j < maskWidth; ++j)
            {
                sum += c_mask[i * maskWidth + j] * tile[threadIdx.y + i][threadIdx.x + j];
            }
        }
        result[row * width + column] = sum;
    }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width)
{
    if (height == 0 || width == 0)
    {
        return;
    }
    cudaMemcpyToSymbol(c_mask, mask, sizeof(float) * mask_height * mask_width, 0, cudaMemcpyDeviceToDevice);
    const dim3 block(kTile, kTile);
    const dim3 grid((width + kTile - 1) / kTile, (height + kTile - 1) / kTile);
    convolveTiled<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
