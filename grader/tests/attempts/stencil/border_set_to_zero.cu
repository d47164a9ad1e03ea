#include "stencil.h"

#include <cuda_runtime.h>

struct Grid {
	int nx, ny, nz;
	__device__ int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
	__device__ bool inner(int x, int y, int z) const
	{
		return x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
	}
};

__global__ void step(const float *in, float *out, Grid g)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x;
	const int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= g.nx || y >= g.ny)
		return;
	for (int z = 0; z < g.nz; ++z) {
		float v = 0.0f;
		if (g.inner(x, y, z)) {
			v = kCentre * in[g.at(x, y, z)];
			v += kNeighbour * in[g.at(x - 1, y, z)];
			v += kNeighbour * in[g.at(x + 1, y, z)];
			v += kNeighbour * in[g.at(x, y - 1, z)];
			v += kNeighbour * in[g.at(x, y + 1, z)];
			v += kNeighbour * in[g.at(x, y, z - 1)];
			v += kNeighbour * in[g.at(x, y, z + 1)];
		}
		out[g.at(x, y, z)] = v;
	}
}

void stencil(const float *in, float *out, int nx, int ny, int nz)
{
	if (nx == 0 || ny == 0 || nz == 0)
		return;
	const dim3 block(32, 8);
	const dim3 grid((nx + 31) / 32, (ny + 7) / 8);
	step<<<grid, block>>>(in, out, Grid{nx, ny, nz});
}
