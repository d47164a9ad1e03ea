#include "convolution.h"

#include <cuda_runtime.h>

__constant__ float c_mask[31 * 31];

__device__ float pixel(const float *image, int y, int x, int height, int width)
{
	if (y > 0 && y < height && x > 0 && x < width)
		return image[(size_t)y * width + x];
	return 0.0f;
}

__global__ void convolve(const float *image, float *result, int height, int width, int mask_height, int mask_width)
{
	const int row = blockIdx.y * blockDim.y + threadIdx.y;
	const int column = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= height || column >= width)
		return;

	const int top = row - mask_height / 2, left = column - mask_width / 2;
	float sum = 0.0f;
	for (int i = 0; i < mask_height; ++i)
		for (int j = 0; j < mask_width; ++j)
			sum += c_mask[i * mask_width + j] * pixel(image, top + i, left + j, height, width);
	result[(size_t)row * width + column] = sum;
}

void convolution(const float *image, const float *mask, float *result, int height, int width, int mask_height,
		 int mask_width)
{
	if (height == 0 || width == 0)
		return;
	cudaMemcpyToSymbol(c_mask, mask, mask_height * mask_width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
	const dim3 block(16, 16);
	const dim3 grid((width + 15) / 16, (height + 15) / 16);
	convolve<<<grid, block>>>(image, result, height, width, mask_height, mask_width);
}
