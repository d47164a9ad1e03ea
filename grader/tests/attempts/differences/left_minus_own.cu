#include "differences.h"
#include <cuda_runtime.h>

__global__ void subtract(const float* values, float* result, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0) {
        result[0] = values[0];
    } else {
        result[i] = values[i - 1] - values[i];
    }
}

void differences(const float* values, float* result, int n) {
    if (n == 0) return;
    subtract<<<(n + 255) / 256, 256>>>(values, result, n);
    if (cudaGetLastError() != cudaSuccess) return;
}
