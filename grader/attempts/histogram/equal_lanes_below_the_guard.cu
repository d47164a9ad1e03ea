#include "histogram.h"
#include <cuda_runtime.h>

__global__ void aggregated(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int lane = threadIdx.x & 31;
	if (i < n) {
		unsigned int v = values[i];
		unsigned int same = __match_any_sync(0xffffffff, v);
		int leader = __ffs(same) - 1;
		if (lane == leader && v < num_bins)
			atomicAdd(&bins[v], __popc(same));
	}
}

void histogram(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
	cudaMemset(bins, 0, n * sizeof(unsigned int));
	if (n > 0)
		aggregated<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
