#include "convolution.h"

#include <cuda_runtime.h>

__global__ void filter2d(const float *src, const float *mask, float *dst, int height, int width, int mask_height,
			 int mask_width)
{
	const int col = blockIdx.x * blockDim.x + threadIdx.x;
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	if (col >= width || row >= height)
		return;
	const int ry = mask_width / 2;
	const int rx = mask_height / 2;
	float acc = 0;
	for (int i = 0; i < mask_height; ++i) {
		const int y = row + i - ry;
		if (y < 0 || y >= height)
			continue;
		for (int j = 0; j < mask_width; ++j) {
			const int x = col + j - rx;
			if (x >= 0 && x < width)
				acc += src[y * width + x] * mask[i * mask_width + j];
		}
	}
	dst[row * width + col] = acc;
}

void convolution(const float *image, const float *mask, float *result, int height, int width, int mask_height,
		 int mask_width)
{
	if (!height || !width)
		return;
	const dim3 threads(16, 16);
	const dim3 blocks(width / 16 > 0 ? width / 16 : 1, (height + 15) / 16);
	filter2d<<<blocks, threads>>>(image, mask, result, height, width, mask_height, mask_width);
}
