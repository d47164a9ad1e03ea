#include "histogram.h"
#include <cuda_runtime.h>

__global__ void histKernel(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        unsigned int v = values[i];
        if (v < (unsigned int)num_bins)
            atomicAdd(bins + v, 1);
    }
}

void histogram(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
    // own stream, so that we do not block the default stream
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned int));
    if (n > 0)
    {
        int threads = 256;
        int blocks = (n + threads - 1) / threads;
        histKernel<<<blocks, threads, 0, stream>>>(values, bins, n, num_bins);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
