#include "text_histogram.h"
#include <cuda_runtime.h>
#include <ctype.h>

#define NBINS 8

__device__ static int whichBin(unsigned char ch)
{
	if (ch >= 65 && ch <= 90)
		ch += 32; /* to lower */
	if (ch < 97 || ch > 122)
		return 7;
	return (ch - 97) >> 2;
}

__global__ void letterKernel(const unsigned char *text, unsigned int *bins, int n)
{
	__shared__ unsigned int local[NBINS];

	if (threadIdx.x < NBINS)
		local[threadIdx.x] = 0;
	__syncthreads();

	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&local[whichBin(text[i])], 1);
	__syncthreads();

	/* now each counter belongs to one thread, so we don't need atomics any more */
	if (threadIdx.x < NBINS)
		bins[threadIdx.x] += local[threadIdx.x];
}

void text_histogram(const unsigned char *text, unsigned int *bins, int n)
{
	cudaMemset(bins, 0, NBINS * sizeof(*bins));
	if (n == 0)
		return;
	int threads = 1024;
	int blocks = (n + threads - 1) / threads;
	letterKernel<<<blocks, threads>>>(text, bins, n);
	if (cudaGetLastError() != cudaSuccess)
		return;
}
