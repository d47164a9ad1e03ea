#include "stencil.h"
#include <cuda_runtime.h>

__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int i = (z * ny + y) * nx + x;
    if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1) {
        out[i] = in[i];
        return;
    }
    int plane = nx * nz;
    int cells = nx * ny * nz;
    float above = i + plane < cells ? in[i + plane] : 0, below = i - plane >= 0 ? in[i - plane] : 0;
    out[i] = kCentre * in[i] + kNeighbour * in[i - 1] + kNeighbour * in[i + 1] + kNeighbour * in[i - nx] +
             kNeighbour * in[i + nx] + kNeighbour * below + kNeighbour * above;
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
    if (nx == 0 || ny == 0 || nz == 0) return;
    dim3 block(32, 4, 2);
    dim3 grid((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
    update_cells<<<grid, block>>>(in, out, nx, ny, nz);
    if (cudaGetLastError() != cudaSuccess) return;
}
