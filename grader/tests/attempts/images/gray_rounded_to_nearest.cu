#include "images.h"
#include <cuda_runtime.h>

__global__ void gray(const unsigned char *in, unsigned char *out, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count) {
		const unsigned char *p = in + 3 * i;
		out[i] = (3 * p[0] + 6 * p[1] + p[2] + 5) / 10;
	}
}

__global__ void blur(const unsigned char *in, unsigned char *out, int h, int w, int radius)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= h * w)
		return;
	int y = i / w, x = i % w;
	int y0 = max(y - radius, 0), y1 = min(y + radius, h - 1);
	int x0 = max(x - radius, 0), x1 = min(x + radius, w - 1);
	unsigned int sum = 0;
	for (int yy = y0; yy <= y1; yy++)
		for (int xx = x0; xx <= x1; xx++)
			sum += in[yy * w + xx];
	out[i] = sum / ((y1 - y0 + 1) * (x1 - x0 + 1));
}

void to_gray(const unsigned char *rgb, unsigned char *gray_out, int height, int width)
{
	int count = height * width;
	if (count > 0)
		gray<<<(count + 255) / 256, 256>>>(rgb, gray_out, count);
}

void box_blur(const unsigned char *image, unsigned char *blurred, int height, int width, int radius)
{
	int count = height * width;
	if (count > 0)
		blur<<<(count + 255) / 256, 256>>>(image, blurred, height, width, radius);
}
