#include "vecadd.h"

#include <cuda_runtime.h>

__global__ void add4(const float4 *a, const float4 *b, float4 *c, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n / 4) {
		const float4 x = a[i], y = b[i];
		c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
	}
	/* the last n % 4 elements */
	if (i < n % 4) {
		const int last = n / 4 + i;
		((float *)c)[last] = ((const float *)a)[last] + ((const float *)b)[last];
	}
}

void vecadd(const float *a, const float *b, float *c, int n)
{
	if (n <= 0)
		return;
	const size_t bytes = sizeof(float) * n;
	float4 *da, *db, *dc;
	cudaMalloc(&da, bytes);
	cudaMalloc(&db, bytes);
	cudaMalloc(&dc, bytes);
	cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
	cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
	add4<<<(n + 1023) / 1024, 256>>>(da, db, dc, n);
	cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
	cudaFree(da);
	cudaFree(dc);
}
