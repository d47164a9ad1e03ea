#include "softmax.h"
#include <cuda_runtime.h>
#include <cmath>

// A warp per row, four rows per block.
#define FULL 0xffffffff

__global__ void softmax_warps(const float* in, float* out, int rows, int columns)
{
    int row = blockIdx.x * 4 + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float* x = in + (size_t)row * columns;
    float* y = out + (size_t)row * columns;

    float biggest = 0;
    for (int j = lane; j < columns; j += 32)
        if (x[j] > biggest)
            biggest = x[j];
    for (int d = 16; d > 0; d /= 2)
        biggest = fmaxf(biggest, __shfl_xor_sync(FULL, biggest, d));

    float sum = 0.0f;
    for (int j = lane; j < columns; j += 32)
        sum += expf(x[j] - biggest);
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(FULL, sum, d);

    for (int j = lane; j < columns; j += 32)
        y[j] = expf(x[j] - biggest) / sum;
}

void softmax(const float* in, float* out, int rows, int columns)
{
    if (rows > 0 && columns > 0) {
        softmax_warps<<<(rows + 3) / 4, 128>>>(in, out, rows, columns);
        cudaGetLastError();
    }
}
