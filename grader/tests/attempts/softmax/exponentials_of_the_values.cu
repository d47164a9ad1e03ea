#include "softmax.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__device__ float block_sum(float mine, float *part)
{
	const int t = threadIdx.x;
	part[t] = mine;
	__syncthreads();
	for (int d = kBlock / 2; d > 0; d /= 2) {
		if (t < d)
			part[t] += part[t + d];
		__syncthreads();
	}
	const float all = part[0];
	__syncthreads();
	return all;
}

__device__ float block_max(float mine, float *part)
{
	const int t = threadIdx.x;
	part[t] = mine;
	__syncthreads();
	for (int d = kBlock / 2; d > 0; d /= 2) {
		if (t < d)
			part[t] = fmaxf(part[t], part[t + d]);
		__syncthreads();
	}
	const float all = part[0];
	__syncthreads();
	return all;
}

__global__ void softmax_rows(const float *in, float *out, int columns)
{
	__shared__ float part[kBlock];
	const float *row = in + (size_t)blockIdx.x * columns;
	float *to = out + (size_t)blockIdx.x * columns;
	float sum = 0.0f;
	for (int c = threadIdx.x; c < columns; c += kBlock) {
		const float e = expf(row[c]);
		to[c] = e;
		sum += e;
	}
	sum = block_sum(sum, part);
	for (int c = threadIdx.x; c < columns; c += kBlock)
		to[c] /= sum;
}

void softmax(const float *in, float *out, int rows, int columns)
{
	if (rows == 0 || columns == 0)
		return;
	softmax_rows<<<rows, kBlock>>>(in, out, columns);
}
