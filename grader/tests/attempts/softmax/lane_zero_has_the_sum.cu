#include "softmax.h"
#include <cuda_runtime.h>

// one warp per row
__global__ void softmax_warp(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows) return;  // the whole warp
    const float* x = in + (size_t)row * columns;
    float* y = out + (size_t)row * columns;

    float m = -INFINITY;
    for (int c = lane; c < columns; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));

    float s = 0;
    for (int c = lane; c < columns; c += 32) s += expf(x[c] - m);
    for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);

    for (int c = lane; c < columns; c += 32) y[c] = expf(x[c] - m) / s;
}

void softmax(const float* in, float* out, int rows, int columns) {
    if (rows == 0 || columns == 0) return;
    softmax_warp<<<(rows + 7) / 8, 256>>>(in, out, rows, columns);
    if (cudaGetLastError() != cudaSuccess) return;
}
