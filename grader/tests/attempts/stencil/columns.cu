#include "stencil.h"
#include <cuda_runtime.h>
#include <stdio.h>

/*
 * one thread per (x,y), goes up along z; three registers:
 *    below  (z-1)   centre (z)   above (z+1)
 */
__global__ void stencil_columns(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;

    const int plane = nx * ny;
    const bool rim = (x == 0 || y == 0 || x == nx - 1 || y == ny - 1);

    int i = y * nx + x;
    float below = 0.0f;
    float centre = in[i];
    float above;

    for (int z = 0; z < nz; z++, i += plane) {
        above = z + 1 < nz ? in[i + plane] : 0.0f;

        float result;
        if (rim || z == 0 || z == nz - 1) {
            result = centre;
        } else {
            result = kCentre * centre;
            result += kNeighbour * in[i - 1];
            result += kNeighbour * in[i + 1];
            result += kNeighbour * in[i - nx];
            result += kNeighbour * in[i + nx];
            result += kNeighbour * below;
            result += kNeighbour * above;
        }
        out[i] = result;

        // one step up
        centre = above;
        below = centre;
    }
}

void stencil(const float *in, float *out, int nx, int ny, int nz)
{
    if (nx * ny == 0 || nz == 0) return;
    dim3 threads(32, 8);
    dim3 blocks((nx + threads.x - 1) / threads.x, (ny + threads.y - 1) / threads.y);
    stencil_columns<<<blocks, threads>>>(in, out, nx, ny, nz);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
}
