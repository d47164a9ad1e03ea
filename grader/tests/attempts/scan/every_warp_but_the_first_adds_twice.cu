#include "scan.h"

#include <cuda_runtime.h>

constexpr int kThreads = 256;

// inclusive scan of the block with shuffles
__device__ float block_scan(float x, float* warp_sums)
{
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	for (int d = 1; d < 32; d *= 2) {
		const float y = __shfl_up_sync(0xffffffff, x, d);
		if (threadIdx.x >= d)
			x += y;
	}
	if (lane == 31)
		warp_sums[warp] = x;
	__syncthreads();
	for (int w = 0; w < warp; ++w)
		x += warp_sums[w];
	__syncthreads();
	return x;
}

__global__ void scan_tile(const float *values, float *sums, float *totals, int n, int exclusive)
{
	__shared__ float warp_sums[kThreads / 32];
	__shared__ float all[kThreads];
	const int i = blockIdx.x * kThreads + threadIdx.x;
	const float mine = i < n ? values[i] : 0.0f;
	const float x = block_scan(mine, warp_sums);
	all[threadIdx.x] = x;
	__syncthreads();
	const float left = threadIdx.x > 0 ? all[threadIdx.x - 1] : 0.0f;
	if (i < n)
		sums[i] = exclusive ? left : x;
	if (threadIdx.x == kThreads - 1)
		totals[blockIdx.x] = x;
}

__global__ void add(float *sums, const float *before, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sums[i] += before[i / kThreads];
}

void scan(const float *values, float *sums, int n, int exclusive)
{
	if (n <= 0)
		return;
	const int blocks = (n + kThreads - 1) / kThreads;
	float *totals;
	cudaMalloc(&totals, 2 * blocks * sizeof(float));
	scan_tile<<<blocks, kThreads>>>(values, sums, totals, n, exclusive);
	if (blocks > 1) {
		scan(totals, totals + blocks, blocks, 1);
		add<<<(n + 511) / 512, 512>>>(sums, totals + blocks, n);
	}
	cudaFree(totals);
}
