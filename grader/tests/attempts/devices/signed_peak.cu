#include "devices.h"

#include <cuda_runtime.h>

// Both devices work on one half. The host combines the two maxima.
static const int BLOCK = 128;

__global__ void findPeak(const float *in, int count, unsigned *peak)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        atomicMax(peak, __float_as_uint(in[i]));
}

__global__ void scaleSamples(float *data, int count, float peak)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        data[i] = (peak == 0) ? 0 : data[i] / peak;
}

struct Half
{
    int start, count;
    float *data;
    unsigned *peak;
    cudaStream_t stream;
    int blocks() const { return (count + BLOCK - 1) / BLOCK; }
};

void scale_to_peak(const float *samples, float *result, int n)
{
    if (n <= 0) return;
    Half h[2];
    h[0].start = 0;
    h[0].count = n - n / 2;
    h[1].start = h[0].count;
    h[1].count = n / 2;
    int devices = n > 1 ? 2 : 1;

    for (int d = 0; d < devices; d++)
    {
        cudaSetDevice(d);
        cudaStreamCreate(&h[d].stream);
        cudaMalloc(&h[d].data, h[d].count * sizeof(float));
        cudaMalloc(&h[d].peak, sizeof(unsigned));
        cudaMemsetAsync(h[d].peak, 0, sizeof(unsigned), h[d].stream);
        cudaMemcpyAsync(h[d].data, samples + h[d].start, h[d].count * sizeof(float), cudaMemcpyHostToDevice, h[d].stream);
        findPeak<<<h[d].blocks(), BLOCK, 0, h[d].stream>>>(h[d].data, h[d].count, h[d].peak);
    }

    unsigned bits = 0;
    for (int d = 0; d < devices; d++)
    {
        unsigned b = 0;
        cudaSetDevice(d);
        cudaStreamSynchronize(h[d].stream);
        cudaMemcpy(&b, h[d].peak, sizeof b, cudaMemcpyDeviceToHost);
        bits = b > bits ? b : bits;
    }
    float peak;
    memcpy(&peak, &bits, sizeof peak);

    for (int d = 0; d < devices; d++)
    {
        cudaSetDevice(d);
        scaleSamples<<<h[d].blocks(), BLOCK, 0, h[d].stream>>>(h[d].data, h[d].count, peak);
        cudaMemcpyAsync(result + h[d].start, h[d].data, h[d].count * sizeof(float), cudaMemcpyDeviceToHost, h[d].stream);
    }
    for (int d = 0; d < devices; d++)
    {
        cudaSetDevice(d);
        cudaStreamSynchronize(h[d].stream);
        cudaFree(h[d].data);
        cudaFree(h[d].peak);
        cudaStreamDestroy(h[d].stream);
    }
    cudaSetDevice(0);
}
