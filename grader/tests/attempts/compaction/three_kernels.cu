#include "compaction.h"
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TPB 256
#define TRY(c) do { cudaError_t e_ = (c); if (e_ != cudaSuccess) { \
  fprintf(stderr, "%s failed: %s\n", #c, cudaGetErrorString(e_)); abort(); } } while (0)

// inclusive scan of the flags of a block, result in s[]
__device__ void scanFlags(int *s)
{
    int t = threadIdx.x;
    for (int d = 1; d < TPB; d <<= 1) {
        int v = (t >= d) ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
}

__global__ void k1_count(const int *values, int *blockCounts, int n)
{
    __shared__ int s[TPB];
    int i = blockIdx.x * TPB + threadIdx.x;
    s[threadIdx.x] = (i < n && values[i] > 0);
    __syncthreads();
    scanFlags(s);
    if (threadIdx.x == TPB - 1) blockCounts[blockIdx.x] = s[TPB - 1];
}

// one block; goes over all counts in pieces of TPB and carries the sum along
__global__ void k2_places(const int *blockCounts, int *blockPlaces, int blocks)
{
    __shared__ int s[TPB];
    int carry = 0;
    for (int first = 0; first < blocks; first += TPB) {
        int b = first + threadIdx.x;
        int mine = b < blocks ? blockCounts[b] : 0;
        s[threadIdx.x] = mine;
        __syncthreads();
        scanFlags(s);
        if (b < blocks) blockPlaces[b] = carry + s[threadIdx.x] - mine;   // exclusive
        carry += s[TPB - 1];
        __syncthreads();
    }
}

__global__ void k3_move(const int *values, const int *blockPlaces, int *kept, int n)
{
    __shared__ int s[TPB];
    int i = blockIdx.x * TPB + threadIdx.x;
    int v = i < n ? values[i] : 0;
    int flag = v > 0;
    s[threadIdx.x] = flag;
    __syncthreads();
    scanFlags(s);
    int p = blockPlaces[blockIdx.x] + s[threadIdx.x] - flag;
    if (i < n) {
        if (flag) kept[p] = v;
        else      kept[n - 1 - (i - p)] = 0;
    }
}

void compaction(const int *values, int *kept, int *count, int n)
{
    if (n == 0) {
        TRY(cudaMemset(count, 0, sizeof(int)));
        return;
    }
    int blocks = (n + TPB - 1) / TPB;
    int *counts, *places;
    TRY(cudaMalloc(&counts, blocks * sizeof(int)));
    TRY(cudaMalloc(&places, blocks * sizeof(int)));

    k1_count<<<blocks, TPB>>>(values, counts, n);
    TRY(cudaGetLastError());
    k2_places<<<1, TPB>>>(counts, places, blocks);
    TRY(cudaGetLastError());
    k3_move<<<blocks, TPB>>>(values, places, kept, n);
    TRY(cudaGetLastError());

    // the last element of the scan is the number of all kept values
    TRY(cudaMemcpy(count, places + blocks - 1, sizeof(int), cudaMemcpyDeviceToDevice));

    TRY(cudaFree(counts));
    TRY(cudaFree(places));
}
