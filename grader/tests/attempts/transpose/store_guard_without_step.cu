#include "transpose.h"

#include <cuda_runtime.h>

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transposeTiles(const float *idata, float *odata, int rows, int columns)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < columns && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * columns + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;  // transpose block offset
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < rows && y < columns)
            odata[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

void transpose(const float *in, float *out, int rows, int columns)
{
    if (rows == 0 || columns == 0)
        return;
    dim3 dimGrid((columns + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM);
    dim3 dimBlock(TILE_DIM, BLOCK_ROWS);
    transposeTiles<<<dimGrid, dimBlock>>>(in, out, rows, columns);
    if (cudaGetLastError() != cudaSuccess)
        return;
}
