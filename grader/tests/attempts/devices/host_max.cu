#include "devices.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define BS 128

// biggest sample -> one atomic per block (as the bits of the float)
__global__ void peakKernel(const float *x, int n, unsigned *peak)
{
    __shared__ float s[BS];
    float best = 0.f;
    for (int i = blockIdx.x * BS + threadIdx.x; i < n; i += gridDim.x * BS)
        if (x[i] > best) best = x[i];
    s[threadIdx.x] = best;
    __syncthreads();
    for (int d = BS / 2; d > 0; d /= 2) {
        if (threadIdx.x < d && s[threadIdx.x + d] > s[threadIdx.x])
            s[threadIdx.x] = s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicMax(peak, __float_as_uint(s[0]));
}

__global__ void divKernel(float *x, int n, float peak)
{
    int i = blockIdx.x * BS + threadIdx.x;
    if (i < n) x[i] = peak > 0.f ? x[i] / peak : 0.f;
}

void scale_to_peak(const float *samples, float *result, int n)
{
    if (n <= 0) return;
    int n0 = n - n / 2;
    int cnt[2] = { n0, n - n0 };
    int off[2] = { 0, n0 };
    float *d_x[2] = { 0, 0 };
    unsigned *d_p[2] = { 0, 0 };
    cudaStream_t st[2];
    unsigned *h_p;                      // pinned, for the two peaks
    cudaMallocHost((void **)&h_p, 2 * sizeof(unsigned));
    h_p[0] = h_p[1] = 0;

    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamCreate(&st[d]);
        if (cnt[d] == 0) continue;
        cudaMalloc((void **)&d_x[d], cnt[d] * sizeof(float));
        cudaMalloc((void **)&d_p[d], sizeof(unsigned));
        cudaMemsetAsync(d_p[d], 0, sizeof(unsigned), st[d]);
        cudaMemcpyAsync(d_x[d], samples + off[d], cnt[d] * sizeof(float), cudaMemcpyHostToDevice, st[d]);
        int blocks = (cnt[d] + BS * 4 - 1) / (BS * 4);
        peakKernel<<<blocks, BS, 0, st[d]>>>(d_x[d], cnt[d], d_p[d]);
        cudaMemcpyAsync(&h_p[d], d_p[d], sizeof(unsigned), cudaMemcpyDeviceToHost, st[d]);
    }
    for (int d = 0; d < 2; d++) { cudaSetDevice(d); cudaStreamSynchronize(st[d]); }

    unsigned bits = h_p[0] > h_p[1] ? h_p[0] : h_p[1];
    float peak;
    memcpy(&peak, &bits, sizeof peak);

    for (int d = 0; d < 2; d++) {
        if (cnt[d] == 0) continue;
        cudaSetDevice(d);
        divKernel<<<(cnt[d] + BS - 1) / BS, BS, 0, st[d]>>>(d_x[d], cnt[d], peak);
        cudaMemcpyAsync(result + off[d], d_x[d], cnt[d] * sizeof(float), cudaMemcpyDeviceToHost, st[d]);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamSynchronize(st[d]);
        cudaError_t e = cudaGetLastError();
        if (e != cudaSuccess) fprintf(stderr, "device %d: %s\n", d, cudaGetErrorString(e));
        if (d_x[d]) cudaFree(d_x[d]);
        if (d_p[d]) cudaFree(d_p[d]);
        cudaStreamDestroy(st[d]);
    }
    cudaFreeHost(h_p);
    cudaSetDevice(0);
}
