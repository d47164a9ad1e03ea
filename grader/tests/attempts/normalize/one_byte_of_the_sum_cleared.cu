#include "normalize.h"

#include <cuda_runtime.h>

__global__ void sum_of_squares(const float *a, const float *b, float *sum, int n)
{
	float mine = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const float d = a[i] - b[i];
		mine += d * d;
	}
	for (int d = 16; d > 0; d >>= 1)
		mine += __shfl_down_sync(0xffffffff, mine, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(sum, mine);
}

__global__ void write_unit(const float *a, const float *b, float *unit, const float *sum, int n)
{
	const float s = *sum;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		unit[i] = s == 0.0f ? 0.0f : (a[i] - b[i]) / sqrtf(s);
}

void normalize(const float *a, const float *b, float *unit, int n)
{
	if (n == 0)
		return;
	float *sum = nullptr;
	if (cudaMalloc(&sum, sizeof(float)) != cudaSuccess)
		return;
	cudaMemset(sum, 0, 1);
	const int blocks = min(432, (n + 255) / 256);
	sum_of_squares<<<blocks, 256>>>(a, b, sum, n);
	write_unit<<<blocks, 256>>>(a, b, unit, sum, n);
	cudaFree(sum);
}
