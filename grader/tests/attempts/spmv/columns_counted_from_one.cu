#include "spmv.h"
#include <cuda_runtime.h>

__device__ float element(const float* x, int column)
{
    return x[column - 1];
}

__global__ void spmvKernel(const int* rowPtr, const int* colIdx, const float* vals, const float* x, float* y, int numRows)
{
    for (int row = threadIdx.x + blockIdx.x * blockDim.x; row < numRows; row += blockDim.x * gridDim.x)
    {
        float dot = 0.0f;
        for (int j = rowPtr[row]; j < rowPtr[row + 1]; j++)
        {
            dot += vals[j] * element(x, colIdx[j]);
        }
        y[row] = dot;
    }
}

void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y, int rows,
          int nonzeros)
{
    int blockSize = 128;
    int gridSize = min((rows + blockSize - 1) / blockSize, 1024);
    spmvKernel<<<gridSize, blockSize>>>(row_starts, columns, values, x, y, rows);
}
