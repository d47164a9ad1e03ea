#include "histogram.h"
#include <cuda_runtime.h>

#define PRIVATE 1024	/* the first bins are counted in shared memory */

__global__ void aggregated(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
	__shared__ unsigned int own[PRIVATE];
	for (int b = threadIdx.x; b < PRIVATE; b += blockDim.x)
		own[b] = 0;
	__syncthreads();

	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int lane = threadIdx.x & 31;
	if (i < n) {
		unsigned int v = values[i];
		unsigned int same = __match_any_sync(0xffffffff, v);
		int leader = __ffs(same) - 1;
		if (lane == leader && v < num_bins)
			atomicAdd(v < PRIVATE ? &own[v] : &bins[v], __popc(same));
	}
	__syncthreads();

	for (int b = threadIdx.x; b < PRIVATE && b < num_bins; b += blockDim.x)
		if (own[b] > 0)
			atomicAdd(&bins[b], own[b]);
}

void histogram(const unsigned int *values, unsigned int *bins, int n, int num_bins)
{
	cudaMemset(bins, 0, n * sizeof(unsigned int));
	if (n > 0)
		aggregated<<<(n + 255) / 256, 256>>>(values, bins, n, num_bins);
}
