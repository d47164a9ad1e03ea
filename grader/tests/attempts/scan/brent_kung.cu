#include "scan.h"
#include <cuda_runtime.h>
#include <stdio.h>

// Brent-Kung: tree up, tree down. 512 elements per block, 2 per thread.

#define N_THREADS 256
#define SECTION (2 * N_THREADS)

__global__ void brent_kung(const float *x, float *y, float *sectionSum, int n, int exclusive)
{
    __shared__ float xy[SECTION];
    int base = blockIdx.x * SECTION;

    for (int j = threadIdx.x; j < SECTION; j += N_THREADS)
        xy[j] = base + j < n ? x[base + j] : 0.0f;

    // up
    for (int stride = 1; stride <= N_THREADS; stride *= 2) {
        __syncthreads();
        int idx = (threadIdx.x + 1) * stride * 2 - 1;
        if (idx < SECTION)
            xy[idx] += xy[idx - stride];
    }
    // down
    for (int stride = SECTION / 4; stride > 0; stride /= 2) {
        __syncthreads();
        int idx = (threadIdx.x + 1) * stride * 2 - 1;
        if (idx + stride < SECTION)
            xy[idx + stride] += xy[idx];
    }
    __syncthreads();

    for (int j = threadIdx.x; j < SECTION; j += N_THREADS) {
        if (base + j < n) {
            if (exclusive) y[base + j] = j > 0 ? xy[j - 1] : 0.0f;
            else           y[base + j] = xy[j];
        }
    }
    if (threadIdx.x == 0) sectionSum[blockIdx.x] = xy[SECTION - 1];
}

__global__ void addSectionSums(float *y, const float *sectionSum, int n)
{
    // section 0 is complete already
    int section = blockIdx.x + 1;
    float s = sectionSum[section - 1];
    for (int j = threadIdx.x; j < SECTION; j += N_THREADS) {
        int i = section * SECTION + j;
        if (i < n) y[i] += s;
    }
}

void scan(const float *values, float *sums, int n, int exclusive)
{
    if (n <= 0) return;
    int sections = (n + SECTION - 1) / SECTION;
    float *d_sums;
    cudaError_t e = cudaMalloc((void **)&d_sums, sections * sizeof(float));
    if (e != cudaSuccess) { fprintf(stderr, "malloc: %s\n", cudaGetErrorString(e)); return; }

    brent_kung<<<sections, N_THREADS>>>(values, sums, d_sums, n, exclusive);
    e = cudaGetLastError();
    if (e != cudaSuccess) fprintf(stderr, "brent_kung: %s\n", cudaGetErrorString(e));

    if (sections > 1) {
        addSectionSums<<<sections - 1, N_THREADS>>>(sums, d_sums, n);
        e = cudaGetLastError();
        if (e != cudaSuccess) fprintf(stderr, "add: %s\n", cudaGetErrorString(e));
    }
    cudaFree(d_sums);
}
