#include "stencil.h"
#include <cuda_runtime.h>
#include <stdio.h>

#define BX 32
#define BY 8
#define BZ 8

#define IDX(x, y, z) (((z) * ny + (y)) * nx + (x))

__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz)
{
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;
    int z = blockIdx.z * BZ + threadIdx.z;

    if (x < nx && y < ny && z < nz)
    {
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
        {
            float r = kCentre * in[IDX(x, y, z)];
            r += kNeighbour * in[IDX(x - 1, y, z)];
            r += kNeighbour * in[IDX(x + 1, y, z)];
            r += kNeighbour * in[IDX(x, y - 1, z)];
            r += kNeighbour * in[IDX(x, y + 1, z)];
            r += kNeighbour * in[IDX(x, y, z - 1)];
            r += kNeighbour * in[IDX(x, y, z + 1)];
            out[IDX(x, y, z)] = r;
        }
        else
            out[IDX(x, y, z)] = in[IDX(x, y, z)];
    }
}

void stencil(const float* in, float* out, int nx, int ny, int nz)
{
    if (nx * ny * nz == 0)
        return;
    dim3 threads(BX, BY, BZ);
    dim3 blocks((nx + BX - 1) / BX, (ny + BY - 1) / BY, (nz + BZ - 1) / BZ);
    update_cells<<<blocks, threads>>>(in, out, nx, ny, nz);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
}
