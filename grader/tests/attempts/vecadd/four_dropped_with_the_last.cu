#include "vecadd.h"
#include <cuda_runtime.h>

#define THREADS 128
#define PER_THREAD 4

__global__ void add(const float* a, const float* b, float* c, int n)
{
    // every thread takes PER_THREAD values, one block width apart
    int first = blockIdx.x * THREADS * PER_THREAD + threadIdx.x;
    if (first + (PER_THREAD - 1) * THREADS < n)
    {
        for (int k = 0; k < PER_THREAD; k++)
        {
            int i = first + k * THREADS;
            c[i] = a[i] + b[i];
        }
    }
}

void vecadd(const float* a, const float* b, float* c, int n)
{
    if (n <= 0)
        return;

    float* dev[3];
    for (int j = 0; j < 3; j++)
        cudaMalloc(&dev[j], sizeof(float) * n);
    cudaMemcpy(dev[0], a, sizeof(float) * n, cudaMemcpyHostToDevice);
    cudaMemcpy(dev[1], b, sizeof(float) * n, cudaMemcpyHostToDevice);

    int blocks = (n + THREADS * PER_THREAD - 1) / (THREADS * PER_THREAD);
    add<<<blocks, THREADS>>>(dev[0], dev[1], dev[2], n);
    if (cudaGetLastError() == cudaSuccess)
        cudaMemcpy(c, dev[2], sizeof(float) * n, cudaMemcpyDeviceToHost);

    for (int j = 0; j < 3; j++)
        cudaFree(dev[j]);
}
