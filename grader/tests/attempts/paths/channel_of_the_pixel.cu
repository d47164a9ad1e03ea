#include "paths.h"

#include <cuda_runtime.h>

__device__ float curve(float v, int channel)
{
	if (channel == 0)
		return red_curve(v);
	if (channel == 1)
		return green_curve(v);
	if (channel == 2)
		return blue_curve(v);
	return alpha_curve(v);
}

__global__ void apply(const float *in, float *out, int samples)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < samples; i += blockDim.x * gridDim.x)
		out[i] = curve(in[i], i / 4 % 4);
}

void apply_curves(const float *in, float *out, int pixels)
{
	if (pixels <= 0)
		return;
	const int samples = 4 * pixels;
	const int blocks = (samples + 127) / 128;
	apply<<<blocks < 864 ? blocks : 864, 128>>>(in, out, samples);
}
