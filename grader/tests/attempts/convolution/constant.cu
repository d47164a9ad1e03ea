#include "convolution.h"
#include <cuda_runtime.h>

#define MAX_MASK 31
#define BX 32
#define BY 4

__constant__ float M[MAX_MASK * MAX_MASK];

__global__ void convKernel(const float *in, float *out, int H, int W, int mh, int mw)
{
	int x = blockIdx.x * BX + threadIdx.x;
	int y = blockIdx.y * BY + threadIdx.y;
	if (x < W && y < H) {
		float s = 0;
		int y0 = y - mh / 2;
		int x0 = x - mw / 2;
		for (int i = 0; i < mh; i++) {
			if (y0 + i < 0 || y0 + i >= H) continue;   // ghost row
			for (int j = 0; j < mw; j++) {
				if (x0 + j < 0 || x0 + j >= W) continue; // ghost column
				s += M[i * mw + j] * in[(y0 + i) * W + x0 + j];
			}
		}
		out[y * W + x] = s;
	}
}

void convolution(const float *image, const float *mask, float *result, int height, int width,
                 int mask_height, int mask_width)
{
	if (height < 1 || width < 1)
		return;
	const size_t maskSize = mask_height * mask_width;
	cudaMemcpyToSymbol(M, mask, maskSize, 0, cudaMemcpyDeviceToDevice);

	dim3 block(BX, BY, 1);
	dim3 grid((width - 1) / BX + 1, (height - 1) / BY + 1, 1);
	convKernel<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
	cudaError_t rc = cudaGetLastError();
	if (rc != cudaSuccess)
		return;
}
