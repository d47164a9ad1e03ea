#include "normalize.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define TPB 256

// everything in ONE kernel, the difference stays in a register
__global__ void normalizeKernel(const float *a, const float *b, float *unit, float *sum, int n)
{
    __shared__ float sq[TPB];
    int t = threadIdx.x;
    int i = blockIdx.x * TPB + t;

    float d = (i < n) ? a[i] - b[i] : 0.0f;
    sq[t] = d * d;
    __syncthreads();
    for (int s = TPB / 2; s > 0; s >>= 1) {
        if (t < s) sq[t] += sq[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(sum, sq[0]);
    __syncthreads();            // wait until the sum is complete

    float total = *(volatile float *)sum;
    if (i < n) unit[i] = total == 0.0f ? 0.0f : d / sqrtf(total);
}

void normalize(const float *a, const float *b, float *unit, int n)
{
    if (n <= 0) return;
    float *sum;
    cudaError_t e = cudaMalloc((void **)&sum, sizeof(float));
    if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); return; }
    cudaMemset(sum, 0, sizeof(float));
    normalizeKernel<<<(n + TPB - 1) / TPB, TPB>>>(a, b, unit, sum, n);
    e = cudaGetLastError();
    if (e != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(e));
    cudaFree(sum);
}
