#include "compaction.h"
#include <cuda_runtime.h>

constexpr int kBlock = 256;

// inclusive scan of one int per thread, all threads of the block
__device__ int blockScan(int* s, int x)
{
    int t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
        int y = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += y;
        __syncthreads();
    }
    return s[t];
}

__global__ void count_kept(const int* values, int* block_counts, int n)
{
    __shared__ int s[kBlock];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int upto = blockScan(s, i < n && values[i] > 0);
    if (threadIdx.x == blockDim.x - 1)
        block_counts[blockIdx.x] = upto;
}

__global__ void scan_counts(int* block_counts, int blocks, int* count)
{
    __shared__ int s[1024];
    int b = threadIdx.x;
    int c = b < blocks ? block_counts[b] : 0;
    int incl = blockScan(s, c);
    if (b < blocks)
        block_counts[b] = incl - c;
    if (b == 1023)
        *count = incl;
}

__global__ void move(const int* values, const int* block_places, int* kept, int n)
{
    __shared__ int s[kBlock];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? values[i] : 0;
    int flag = v > 0 ? 1 : 0;
    int place = block_places[blockIdx.x] + blockScan(s, flag) - flag;
    if (i < n) {
        if (flag)
            kept[place] = v;
        else
            kept[n - 1 - (i - place)] = 0;
    }
}

void compaction(const int* values, int* kept, int* count, int n)
{
    int blocks = (n + kBlock - 1) / kBlock;
    if (blocks == 0) {
        cudaMemset(count, 0, sizeof(int));
        return;
    }
    int* c;
    if (cudaMalloc(&c, sizeof(int) * blocks) != cudaSuccess) return;
    count_kept<<<blocks, kBlock>>>(values, c, n);
    scan_counts<<<1, 1024>>>(c, blocks, count);
    move<<<blocks, kBlock>>>(values, c, kept, n);
    cudaError_t err = cudaGetLastError();
    (void)err;
    cudaFree(c);
}
