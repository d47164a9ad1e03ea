#include "gemm.h"

#include <cuda_runtime.h>

__global__ void multiply(const float *a, const float *b, float *c, int m, int n, int k)
{
	const int column = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;

	if (row < m && column < n) {
		float sum = 0.0f;
		for (int i = 0; i < k; ++i)
			sum = fmaf(a[row * k + i], b[i * n + column], sum);
		c[row * n + column] = sum;
	}
}

void gemm(const float *a, const float *b, float *c, int m, int n, int k)
{
	if (m == 0 || n == 0 || k == 0)
		return;		/* empty matrices */

	const dim3 threads(32, 8);
	const dim3 blocks((n + threads.x - 1) / threads.x, (m + threads.y - 1) / threads.y);
	multiply<<<blocks, threads>>>(a, b, c, m, n, k);

	cudaError_t status = cudaGetLastError();
	if (status != cudaSuccess)
		return;
}
