#include "normalize.h"
#include <cuda_runtime.h>

__device__ float difference(const float* a, const float* b, int i) { return a[i] - b[i]; }

__global__ void normalizeKernel(const float* a, const float* b, float* unit, float* sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float d = i < n ? difference(a, b, i) : 0;
    if (i < n) atomicAdd(sum, d * d);
    __syncthreads();   // the sum is complete now
    float s = *sum;
    if (i < n) unit[i] = s > 0 ? d / sqrtf(s) : 0;
}

void normalize(const float* a, const float* b, float* unit, int n)
{
    if (n == 0) return;
    float* sum;
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    normalizeKernel<<<(n + 127) / 128, 128>>>(a, b, unit, sum, n);
    cudaFree(sum);
}
