#include "devices.h"
#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void find_peak(const float *in, int count, unsigned *peak)
{
    float mine = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
        mine = fmaxf(mine, fabsf(in[i]));
    for (int d = 16; d > 0; d /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, d));
    if (threadIdx.x % 32 == 0)
        atomicMax(peak, __float_as_uint(mine));
}

__global__ void scale(float *samples, int count, const unsigned *one, const unsigned *other)
{
    const float peak = fmaxf(__uint_as_float(*one), __uint_as_float(*other));
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
        samples[i] = samples[i] / peak;
}

void scale_to_peak(const float *samples, float *result, int n)
{
    if (n == 0)
        return;
    const int first[2] = {0, (n + 1) / 2};
    const int count[2] = {(n + 1) / 2, n / 2};
    float *chunk[2];
    unsigned *maxima[2]; // own, then the other one's
    cudaStream_t stream[2];
    cudaEvent_t found[2];
    int blocks[2];

    for (int d = 0; d < 2; ++d)
    {
        cudaSetDevice(d);
        blocks[d] = (count[d] + kBlock - 1) / kBlock;
        if (blocks[d] > 216)
            blocks[d] = 216;
        cudaStreamCreate(&stream[d]);
        cudaEventCreateWithFlags(&found[d], cudaEventDisableTiming);
        cudaMalloc(&chunk[d], (count[d] + 1) * sizeof(float));
        cudaMalloc(&maxima[d], 2 * sizeof(unsigned));
        cudaMemsetAsync(maxima[d], 0, 2 * sizeof(unsigned), stream[d]);
        if (count[d] > 0)
        {
            cudaMemcpyAsync(chunk[d], samples + first[d], count[d] * sizeof(float), cudaMemcpyHostToDevice,
                            stream[d]);
            find_peak<<<blocks[d], kBlock, 0, stream[d]>>>(chunk[d], count[d], maxima[d]);
        }
        cudaEventRecord(found[d], stream[d]);
    }
    // exchange the maxima without the host
    for (int d = 0; d < 2; ++d)
    {
        cudaSetDevice(d);
        cudaStreamWaitEvent(stream[d], found[1 - d], 0);
        cudaMemcpyPeerAsync(maxima[d] + 1, d, maxima[1 - d], 1 - d, sizeof(unsigned), stream[d]);
        if (count[d] > 0)
        {
            scale<<<blocks[d], kBlock, 0, stream[d]>>>(chunk[d], count[d], maxima[d], maxima[d] + 1);
            cudaMemcpyAsync(result + first[d], chunk[d], count[d] * sizeof(float), cudaMemcpyDeviceToHost,
                            stream[d]);
        }
    }
    for (int d = 0; d < 2; ++d)
    {
        cudaSetDevice(d);
        cudaStreamSynchronize(stream[d]);
    }
    for (int d = 0; d < 2; ++d)
    {
        cudaSetDevice(d);
        cudaFree(chunk[d]);
        cudaFree(maxima[d]);
        cudaEventDestroy(found[d]);
        cudaStreamDestroy(stream[d]);
    }
    cudaSetDevice(0);
}
