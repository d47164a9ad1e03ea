#include "stencil.h"
#include <cuda_runtime.h>

__global__ void stencilKernel(const float* in, float* out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x < nx && y < ny)
    {
        int sliceStride = nx * ny;
        int i = z * sliceStride + y * nx + x;
        bool border = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
        if (border)
        {
            out[i] = in[i];
        }
        else
        {
            out[i] = kCentre * in[i] +
                     kNeighbour * in[i - 1] + kNeighbour * in[i + 1] +
                     kNeighbour * in[i - nx] + kNeighbour * in[i + nx] +
                     kNeighbour * in[i - sliceStride] + kNeighbour * in[i + sliceStride];
        }
    }
}

void stencil(const float* in, float* out, int nx, int ny, int nz)
{
    if (nx == 0 || ny == 0 || nz == 0) return;
    dim3 block(16, 16);
    dim3 grid((nx + 15) / 16, (ny + 15) / 16, nz);
    stencilKernel<<<grid, block>>>(in, out, nx, ny, nz);
}
