#include "scan.h"
#include <cuda_runtime.h>

constexpr int kBlock = 256;

// Brent-Kung
__global__ void scan_blocks(const float* values, float* sums, float* totals, int n, int exclusive) {
    __shared__ float temp[kBlock];
    int t = threadIdx.x;
    int i = blockIdx.x * kBlock + t;
    temp[t] = i < n ? values[i] : 0;
    // up
    for (int d = 1; d < kBlock; d *= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * d - 1;
        if (k < kBlock) temp[k] += temp[k - d];
    }
    // down
    for (int d = kBlock / 4; d > 1; d /= 2) {
        __syncthreads();
        int k = (t + 1) * 2 * d - 1;
        if (k + d < kBlock) temp[k + d] += temp[k];
    }
    __syncthreads();
    if (i < n) {
        if (exclusive) sums[i] = t > 0 ? temp[t - 1] : 0;
        else sums[i] = temp[t];
    }
    if (t == kBlock - 1 && totals != nullptr) totals[blockIdx.x] = temp[t];
}

__global__ void add_before(float* sums, const float* before, int n) {
    int i = blockIdx.x * kBlock + threadIdx.x;
    if (i < n) sums[i] += before[blockIdx.x];
}

void scan(const float* values, float* sums, int n, int exclusive) {
    if (n == 0) return;
    int blocks = (n + kBlock - 1) / kBlock;
    if (blocks == 1) {
        scan_blocks<<<1, kBlock>>>(values, sums, nullptr, n, exclusive);
        return;
    }
    float *totals, *before;
    cudaMalloc(&totals, blocks * sizeof(float));
    cudaMalloc(&before, blocks * sizeof(float));
    scan_blocks<<<blocks, kBlock>>>(values, sums, totals, n, exclusive);
    scan(totals, before, blocks, 1);
    add_before<<<blocks, kBlock>>>(sums, before, n);
    cudaFree(totals);
    cudaFree(before);
}
