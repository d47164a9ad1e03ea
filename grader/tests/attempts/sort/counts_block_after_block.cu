#include "sort.h"
#include <cuda_runtime.h>

// LSD radix sort with 4-bit digits: histogram, scan, scatter.
namespace
{
constexpr int kThreads = 128;
constexpr int kDigits = 16;

__device__ int slot(int digit, int block, int blocks)
{
    return block * kDigits + digit;
}

__global__ void histogram(const unsigned* keys, int* counts, int n, int shift, int blocks)
{
    __shared__ int local[kDigits];
    if (threadIdx.x < kDigits) local[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&local[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < kDigits) counts[slot(threadIdx.x, blockIdx.x, blocks)] = local[threadIdx.x];
}

__global__ void exclusiveScan(int* counts, int size)
{
    __shared__ int temp[1024];
    int carry = 0;
    for (int base = 0; base < size; base += 1024)
    {
        const int i = base + threadIdx.x;
        const int value = i < size ? counts[i] : 0;
        temp[threadIdx.x] = value;
        __syncthreads();
        for (int offset = 1; offset < 1024; offset <<= 1)
        {
            const int t = threadIdx.x >= offset ? temp[threadIdx.x - offset] : 0;
            __syncthreads();
            temp[threadIdx.x] += t;
            __syncthreads();
        }
        if (i < size) counts[i] = carry + temp[threadIdx.x] - value;
        carry += temp[1023];
        __syncthreads();
    }
}

__global__ void scatter(const unsigned* from, unsigned* to, const int* counts, int n, int shift, int blocks)
{
    __shared__ unsigned char digits[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const unsigned key = i < n ? from[i] : 0;
    const int digit = i < n ? key >> shift & 15 : 255;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n) return;
    int rank = 0;
    for (int t = 0; t < threadIdx.x; ++t) rank += digits[t] == digit;
    to[counts[slot(digit, blockIdx.x, blocks)] + rank] = key;
}
}  // namespace

void sort(const unsigned* keys, unsigned* sorted, int n)
{
    if (n <= 0) return;
    const int blocks = (n + kThreads - 1) / kThreads;
    unsigned* buffer = nullptr;
    int* counts = nullptr;
    cudaMalloc(&buffer, n * sizeof(unsigned));
    cudaMalloc(&counts, blocks * kDigits * sizeof(int));
    const unsigned* from = keys;
    for (int pass = 0; pass < 8; ++pass)
    {
        unsigned* to = pass & 1 ? sorted : buffer;
        histogram<<<blocks, kThreads>>>(from, counts, n, 4 * pass, blocks);
        exclusiveScan<<<1, 1024>>>(counts, blocks * kDigits);
        scatter<<<blocks, kThreads>>>(from, to, counts, n, 4 * pass, blocks);
        from = to;
    }
    cudaFree(counts);
    cudaFree(buffer);
}
