#include "convolution.h"
#include <cuda_runtime.h>

__constant__ float M[31 * 31];

constexpr int kTile = 16;
constexpr int kMostSide = kTile + 31 - 1;

__global__ void convolve_tiled(const float* image, float* result, int height, int width,
                               int mask_height, int mask_width)
{
    __shared__ float N_s[kMostSide][kMostSide];

    int rh = mask_height / 2, rw = mask_width / 2;
    int row0 = blockIdx.y * kTile - rh;
    int col0 = blockIdx.x * kTile - rw;

    for (int r = threadIdx.y; r < kTile + mask_height - 1; r += kTile) {
        for (int c = threadIdx.x; c < kTile + mask_width - 1; c += kTile) {
            int y = row0 + r;
            int x = col0 + c;
            // no pixels outside: take the nearest one
            y = min(max(y, 0), height - 1);
            x = min(max(x, 0), width - 1);
            N_s[r][c] = image[y * width + x];
        }
    }
    __syncthreads();

    int row = blockIdx.y * kTile + threadIdx.y;
    int col = blockIdx.x * kTile + threadIdx.x;
    if (row < height && col < width) {
        float acc = 0.0f;
        for (int i = 0; i < mask_height; i++)
            for (int j = 0; j < mask_width; j++)
                acc += M[i * mask_width + j] * N_s[threadIdx.y + i][threadIdx.x + j];
        result[row * width + col] = acc;
    }
}

void convolution(const float* image, const float* mask, float* result, int height, int width,
                 int mask_height, int mask_width)
{
    if (height < 1 || width < 1)
        return;
    cudaMemcpyToSymbol(M, mask, mask_height * mask_width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
    dim3 blocks((width + kTile - 1) / kTile, (height + kTile - 1) / kTile), threads(kTile, kTile);
    convolve_tiled<<<blocks, threads>>>(image, result, height, width, mask_height, mask_width);
    cudaError_t ok = cudaGetLastError();
    (void)ok;
}
