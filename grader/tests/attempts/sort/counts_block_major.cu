#include "sort.h"
#include <cuda_runtime.h>
#include <utility>

// 4 bits per pass. One histogram of 16 digits per block, hist[block * R + digit]
#define R 16
#define THREADS 256

__global__ void digit_counts(const unsigned* keys, int* hist, int n, int shift) {
  __shared__ int h[R];
  if (threadIdx.x < R) h[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) atomicAdd(&h[(keys[i] >> shift) & (R - 1)], 1);
  __syncthreads();
  if (threadIdx.x < R) hist[blockIdx.x * R + threadIdx.x] = h[threadIdx.x];
}

// exclusive scan in place by one block
__global__ void scan_all(int* data, int count) {
  __shared__ int s[1024];
  const int t = threadIdx.x;
  int carry = 0;
  for (int base = 0; base < count; base += 1024) {
    int v = (base + t < count) ? data[base + t] : 0;
    s[t] = v;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      int add = (t >= d) ? s[t - d] : 0;
      __syncthreads();
      s[t] += add;
      __syncthreads();
    }
    if (base + t < count) data[base + t] = carry + s[t] - v;
    carry += s[1023];
    __syncthreads();
  }
}

__global__ void scatter(const unsigned* from, unsigned* to, const int* offsets, int n, int shift) {
  __shared__ int digits[THREADS];
  int t = threadIdx.x;
  int i = blockIdx.x * THREADS + t;
  unsigned key = 0;
  digits[t] = -1;
  if (i < n) {
    key = from[i];
    digits[t] = (key >> shift) & (R - 1);
  }
  __syncthreads();
  if (i < n) {
    int d = digits[t];
    int rank = 0;
    for (int j = 0; j < t; j++)
      if (digits[j] == d) rank++;
    to[offsets[blockIdx.x * R + d] + rank] = key;
  }
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n <= 0) return;
  int blocks = (n + THREADS - 1) / THREADS;
  unsigned* tmp;
  int* hist;
  cudaMalloc(&tmp, sizeof(unsigned) * n);
  cudaMalloc(&hist, sizeof(int) * R * blocks);
  cudaMemcpy(sorted, keys, sizeof(unsigned) * n, cudaMemcpyDeviceToDevice);
  unsigned* src = sorted;
  unsigned* dst = tmp;
  for (int shift = 0; shift < 32; shift += 4) {
    digit_counts<<<blocks, THREADS>>>(src, hist, n, shift);
    scan_all<<<1, 1024>>>(hist, R * blocks);
    scatter<<<blocks, THREADS>>>(src, dst, hist, n, shift);
    std::swap(src, dst);
  }
  cudaError_t e = cudaGetLastError();
  (void)e;
  cudaFree(tmp);
  cudaFree(hist);
}
