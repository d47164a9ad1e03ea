#include "text_histogram.h"

#include <cuda_runtime.h>

__global__ void letters(const unsigned char *text, unsigned int *bins, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int bin = 7;
	const unsigned char c = text[i];
	if (c >= 'A' && c <= 'z')
		bin = ((c | 32) - 'a') / 4;	/* bit 5 makes it a small letter */
	atomicAdd(bins + bin, 1u);
}

void text_histogram(const unsigned char *text, unsigned int *bins, int n)
{
	cudaMemset(bins, 0, 8 * sizeof(*bins));
	if (n > 0)
		letters<<<(n + 511) / 512, 512>>>(text, bins, n);
}
