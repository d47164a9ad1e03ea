#include "transpose.h"
#include <cuda_runtime.h>

constexpr int kTile = 16;

__global__ void transpose_tiles(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[kTile][kTile + 1];
    int c = blockIdx.x * kTile + threadIdx.x;
    int r = blockIdx.y * kTile + threadIdx.y;
    if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = in[r * columns + c];
    __syncthreads();
    // now the other way
    int out_c = blockIdx.x * kTile + threadIdx.x;
    int out_r = blockIdx.y * kTile + threadIdx.y;
    if (out_r < columns && out_c < rows) out[out_r * rows + out_c] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    dim3 block(kTile, kTile);
    dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
    transpose_tiles<<<grid, block>>>(in, out, rows, columns);
    if (cudaGetLastError() != cudaSuccess) return;
}
