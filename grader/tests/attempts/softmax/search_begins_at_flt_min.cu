#include "softmax.h"
#include <cuda_runtime.h>
#include <cfloat>

__global__ void softmaxKernel(const float* in, float* out, int rows, int columns)
{
    // one thread per row
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows)
    {
        size_t start = (size_t)row * columns;
        float maximum = FLT_MIN;
        for (int j = 0; j < columns; ++j)
        {
            if (in[start + j] > maximum) maximum = in[start + j];
        }
        float sum = 0.0f;
        for (int j = 0; j < columns; ++j)
        {
            sum += expf(in[start + j] - maximum);
        }
        for (int j = 0; j < columns; ++j)
        {
            out[start + j] = expf(in[start + j] - maximum) / sum;
        }
    }
}

void softmax(const float* in, float* out, int rows, int columns)
{
    if (rows == 0 || columns == 0)
    {
        return;
    }
    int threads = 64;
    softmaxKernel<<<(rows + threads - 1) / threads, threads>>>(in, out, rows, columns);
}
