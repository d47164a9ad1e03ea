#include "differences.h"
#include <cuda_runtime.h>

// grid-stride loop
__global__ void diff(const float *in, float *out, int n)
{
	const int step = blockDim.x * gridDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
		const float here = in[i];
		const float there = i < n - 1 ? in[i + 1] : 0.0f;
		out[i] = i < n - 1 ? there - here : here;
	}
}

void differences(const float *values, float *result, int n)
{
	int blocks = (n + 127) / 128;
	if (blocks == 0)
		return;
	if (blocks > 1024)
		blocks = 1024;
	diff<<<blocks, 128>>>(values, result, n);
}
