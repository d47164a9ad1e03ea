#include "compaction.h"

#include <cuda_runtime.h>

template <int kThreads>
struct Flags {
  int sum[kThreads];

  // Afterwards sum[t] is the number of flags up to and with thread t.
  __device__ void scan(int flag) {
    const int t = threadIdx.x;
    sum[t] = flag;
    __syncthreads();
    for (int d = 1; d < kThreads; d *= 2) {
      if (t >= d) sum[t] += sum[t - d];
      __syncthreads();
    }
  }
};

constexpr int kThreads = 512;

__global__ void count_flags(const int* values, int* totals, int n) {
  __shared__ Flags<kThreads> flags;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  flags.scan(i < n ? values[i] > 0 : 0);
  if (threadIdx.x == 0) totals[blockIdx.x] = flags.sum[kThreads - 1];
}

__global__ void prefix(int* totals, int blocks, int* count) {
  int running = 0;
  for (int b = 0; b < blocks; ++b) {
    const int here = totals[b];
    totals[b] = running;
    running += here;
  }
  *count = running;
}

__global__ void distribute(const int* values, const int* offsets, int* kept, int n) {
  __shared__ Flags<kThreads> flags;
  const int i = blockIdx.x * kThreads + threadIdx.x;
  const int keep = i < n ? values[i] > 0 : 0;
  flags.scan(keep);
  const int place = offsets[blockIdx.x] + flags.sum[threadIdx.x] - keep;
  if (i >= n) return;
  if (keep)
    kept[place] = values[i];
  else
    kept[n - 1 - (i - place)] = 0;
}

void compaction(const int* values, int* kept, int* count, int n) {
  if (n == 0) {
    cudaMemset(count, 0, sizeof *count);
    return;
  }
  const int blocks = (n + kThreads - 1) / kThreads;
  int* totals = nullptr;
  if (cudaMalloc(&totals, sizeof(int) * blocks) != cudaSuccess) return;
  count_flags<<<blocks, kThreads>>>(values, totals, n);
  prefix<<<1, 1>>>(totals, blocks, count);
  distribute<<<blocks, kThreads>>>(values, totals, kept, n);
  const cudaError_t launched = cudaGetLastError();
  cudaFree(totals);
  if (launched != cudaSuccess) return;
}
