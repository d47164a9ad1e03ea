#include <cuda_runtime.h>

#include "devices.h"

constexpr int kBlock = 256;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
    float mine = 0;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
        mine = fmaxf(mine, fabsf(in[i]));
    for (int d = 16; d > 0; d /= 2)
        mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, d));
    if (threadIdx.x % 32 == 0) atomicMax(peak, __float_as_uint(mine));
}

__global__ void scale(float* samples, int count, const unsigned* one,
                      const unsigned* other) {
    const float peak = fmaxf(__uint_as_float(*one), __uint_as_float(*other));
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
        samples[i] = peak > 0 ? samples[i] / peak : 0.0f;
}

void scale_to_peak(const float* samples, float* result, int n) {
    if (n == 0) return;
    const int first[2] = {0, n / 2};
    const int count[2] = {(n + 1) / 2, n / 2};
    float* part[2];
    unsigned* peaks[2];  // own, then the other one's
    cudaStream_t streams[2];
    cudaEvent_t ready[2];
    int blocks[2];

    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        blocks[d] = (count[d] + kBlock - 1) / kBlock;
        if (blocks[d] > 216) blocks[d] = 216;
        cudaStreamCreate(&streams[d]);
        cudaEventCreateWithFlags(&ready[d], cudaEventDisableTiming);
        cudaMalloc(&part[d], (count[d] + 1) * sizeof(float));
        cudaMalloc(&peaks[d], 2 * sizeof(unsigned));
        cudaMemsetAsync(peaks[d], 0, 2 * sizeof(unsigned), streams[d]);
        if (count[d] > 0) {
            cudaMemcpyAsync(part[d], samples + first[d], count[d] * sizeof(float),
                            cudaMemcpyHostToDevice, streams[d]);
            find_peak<<<blocks[d], kBlock, 0, streams[d]>>>(part[d], count[d], peaks[d]);
        }
        cudaEventRecord(ready[d], streams[d]);
    }
    // exchange the peaks without the host
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaStreamWaitEvent(streams[d], ready[1 - d], 0);
        cudaMemcpyPeerAsync(peaks[d] + 1, d, peaks[1 - d], 1 - d, sizeof(unsigned),
                            streams[d]);
        if (count[d] > 0) {
            scale<<<blocks[d], kBlock, 0, streams[d]>>>(part[d], count[d], peaks[d],
                                                        peaks[d] + 1);
            cudaMemcpyAsync(result + first[d], part[d], count[d] * sizeof(float),
                            cudaMemcpyDeviceToHost, streams[d]);
        }
    }
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaStreamSynchronize(streams[d]);
    }
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaFree(part[d]);
        cudaFree(peaks[d]);
        cudaEventDestroy(ready[d]);
        cudaStreamDestroy(streams[d]);
    }
    cudaSetDevice(0);
}
