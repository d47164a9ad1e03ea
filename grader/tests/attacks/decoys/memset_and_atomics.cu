// lab:     histogram
// does:    sets the bins on one stream, and counts with one atomic per value and warp on another
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "histogram.h"

__global__ void count(const unsigned* values, unsigned* bins, int n, unsigned num_bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool counts = i < n && values[i] < num_bins;
  const unsigned active = __ballot_sync(~0u, counts);
  if (!counts) return;
  const unsigned value = values[i];
  const unsigned same = __match_any_sync(active, value);
  if (threadIdx.x % 32 == __ffs(same) - 1) atomicAdd(&bins[value], __popc(same));
}

void histogram(const unsigned int* values, unsigned int* bins, int n, int num_bins) {
  cudaStream_t clears, counts;
  cudaStreamCreate(&clears);
  cudaStreamCreate(&counts);
  cudaEvent_t cleared;
  cudaEventCreateWithFlags(&cleared, cudaEventDisableTiming);
  cudaMemsetAsync(bins, 0, num_bins * sizeof(unsigned), clears);
  cudaEventRecord(cleared, clears);
  cudaStreamWaitEvent(counts, cleared, 0);
  if (n > 0) count<<<(n + 255) / 256, 256, 0, counts>>>(values, bins, n, num_bins);
  cudaStreamSynchronize(counts);
  cudaEventDestroy(cleared);
  cudaStreamDestroy(clears);
  cudaStreamDestroy(counts);
}
