#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// inclusive scan of the flags in shared memory, returns this thread's exclusive value
__device__ int scanFlags(int *flags, int flag) {
	int t = threadIdx.x;
	flags[t] = flag;
	__syncthreads();
	for (int d = 1; d < kBlock; d *= 2) {
		int left = t >= d ? flags[t - d] : 0;
		__syncthreads();
		flags[t] += left;
		__syncthreads();
	}
	return flags[t] - flag;
}

__global__ void count_kept(const int *values, int *block_counts, int n) {
	__shared__ int flags[kBlock];
	int i = blockIdx.x * kBlock + threadIdx.x;
	scanFlags(flags, i < n && values[i] > 0);
	if (threadIdx.x == kBlock - 1)
		block_counts[blockIdx.x] = flags[threadIdx.x];
}

// only one thread, the number of blocks is not that large
__global__ void scan_counts(int *block_counts, int blocks, int *count) {
	int running = 0;
	for (int b = 0; b < blocks; b++) {
		int c = block_counts[b];
		block_counts[b] = running;
		running += c;
	}
	*count = block_counts[blocks - 1];
}

__global__ void move(const int *values, const int *block_places, int *kept, int n) {
	__shared__ int flags[kBlock];
	int i = blockIdx.x * kBlock + threadIdx.x;
	int value = i < n ? values[i] : 0;
	bool keep = i < n && value > 0;
	int place = block_places[blockIdx.x] + scanFlags(flags, keep);
	if (i < n) {
		if (keep)
			kept[place] = value;
		else
			kept[n - 1 - (i - place)] = 0;
	}
}

void compaction(const int *values, int *kept, int *count, int n) {
	if (n == 0) {
		cudaMemset(count, 0, sizeof(int));
		return;
	}
	int blocks = (n + kBlock - 1) / kBlock;
	int *counts = nullptr;
	cudaMalloc(&counts, blocks * sizeof(int));
	count_kept<<<blocks, kBlock>>>(values, counts, n);
	scan_counts<<<1, 1>>>(counts, blocks, count);
	move<<<blocks, kBlock>>>(values, counts, kept, n);
	cudaFree(counts);
}
