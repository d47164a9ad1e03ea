#include "compaction.h"
#include <cuda_runtime.h>

#define BLOCK 256

__global__ void count_kept(const int* values, int* block_counts, int n) {
    __shared__ int s[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    s[threadIdx.x] = (i < n && values[i] > 0) ? 1 : 0;
    __syncthreads();
    for (int d = BLOCK / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) block_counts[blockIdx.x] = s[0];
}

__global__ void scan_counts(int* block_counts, int blocks, int* count) {
    int sum = 0;
    for (int i = 0; i < blocks; i++) {
        int c = block_counts[i];
        block_counts[i] = sum;
        sum += c;
    }
    *count = sum;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n) {
    __shared__ int s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    int flag = (i < n && values[i] > 0) ? 1 : 0;
    s[t] = flag;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        if (t >= d) s[t] += s[t - d];
        __syncthreads();
    }
    if (i < n) {
        int place = block_places[blockIdx.x] + s[t] - flag;
        if (flag) kept[place] = values[i];
        else kept[n - 1 - (i - place)] = 0;
    }
}

void compaction(const int* values, int* kept, int* count, int n) {
    if (n == 0) {
        cudaMemset(count, 0, sizeof(int));
        return;
    }
    int blocks = (n + BLOCK - 1) / BLOCK;
    int* counts;
    cudaMalloc(&counts, blocks * sizeof(int));
    count_kept<<<blocks, BLOCK>>>(values, counts, n);
    scan_counts<<<1, 1>>>(counts, blocks, count);
    move<<<blocks, BLOCK>>>(values, counts, kept, n);
}
