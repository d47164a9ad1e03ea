// lab:     sort
// does:    merges until a kernel finds no pair in the wrong order, a flag that the host reads
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <utility>

#include "sort.h"

constexpr int kRun = 512;  // keys that a block sorts

__global__ void sort_runs(const unsigned* keys, unsigned* out, int n) {
  __shared__ unsigned run[kRun];
  const int i = blockIdx.x * kRun + threadIdx.x;
  run[threadIdx.x] = i < n ? keys[i] : ~0u;
  __syncthreads();
  for (int size = 2; size <= kRun; size *= 2) {
    for (int d = size / 2; d > 0; d /= 2) {
      const int partner = threadIdx.x ^ d;
      if (partner > threadIdx.x) {
        const bool up = (threadIdx.x & size) == 0;
        const unsigned a = run[threadIdx.x], b = run[partner];
        if ((a > b) == up) {
          run[threadIdx.x] = b;
          run[partner] = a;
        }
      }
      __syncthreads();
    }
  }
  if (i < n) out[i] = run[threadIdx.x];
}

__global__ void find_disorder(const unsigned* keys, int* found, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n && keys[i] > keys[i + 1]) atomicExch(found, 1);
}

// How many of keys[first] to keys[last-1] are below the key; with `equal`, or equal to it.
__device__ int rank_in(const unsigned* keys, int first, int last, unsigned key, bool equal) {
  const int start = first;
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (keys[middle] < key || (equal && keys[middle] == key)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first - start;
}

__global__ void merge_pairs(const unsigned* from, unsigned* to, int width, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const long long pair = i / (2LL * width) * 2 * width;
  const int middle = static_cast<int>(min(pair + width, static_cast<long long>(n)));
  const int end = static_cast<int>(min(pair + 2LL * width, static_cast<long long>(n)));
  const bool left = i < middle;
  const int others = left ? rank_in(from, middle, end, from[i], false)
                          : rank_in(from, static_cast<int>(pair), middle, from[i], true);
  const int own = left ? i : static_cast<int>(pair) + i - middle;
  to[own + others] = from[i];
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  if (n == 0) return;
  unsigned* other;
  int* found;
  cudaMalloc(&other, n * sizeof(unsigned));
  cudaMalloc(&found, sizeof(int));
  sort_runs<<<(n + kRun - 1) / kRun, kRun>>>(keys, sorted, n);
  unsigned *from = sorted, *to = other;
  for (long long width = kRun;; width *= 2) {
    cudaMemset(found, 0, sizeof(int));
    find_disorder<<<(n + 255) / 256, 256>>>(from, found, n);
    int disorder = 0;
    cudaMemcpy(&disorder, found, sizeof(int), cudaMemcpyDeviceToHost);
    if (disorder == 0) break;
    merge_pairs<<<(n + 255) / 256, 256>>>(from, to, static_cast<int>(width), n);
    std::swap(from, to);
  }
  if (from != sorted) cudaMemcpy(sorted, from, n * sizeof(unsigned), cudaMemcpyDeviceToDevice);
  cudaFree(other);
  cudaFree(found);
}
