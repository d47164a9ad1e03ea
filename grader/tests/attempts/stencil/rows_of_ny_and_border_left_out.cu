#include "stencil.h"
#include <cuda_runtime.h>

#define IDX(x, y, z) (((z) * ny + (y)) * nx + (x))

__global__ void step(const float *in, float *out, int nx, int ny, int nz)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    int z = threadIdx.z + blockIdx.z * blockDim.z;

    if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
        int i = IDX(x, y, z);
        int plane = nx * ny;
        out[i] = 0.25f * in[i]
               + 0.125f * in[i - 1]     + 0.125f * in[i + 1]
               + 0.125f * in[i - ny]    + 0.125f * in[i + ny]
               + 0.125f * in[i - plane] + 0.125f * in[i + plane];
    }
}

void stencil(const float *in, float *out, int nx, int ny, int nz)
{
    if (nx <= 0 || ny <= 0 || nz <= 0)
        return;
    dim3 threads(32, 4, 2);
    dim3 blocks((nx + threads.x - 1) / threads.x,
                (ny + threads.y - 1) / threads.y,
                (nz + threads.z - 1) / threads.z);
    step<<<blocks, threads>>>(in, out, nx, ny, nz);
    cudaError_t err = cudaGetLastError();
    if (err != cudaSuccess)
        return;
}
