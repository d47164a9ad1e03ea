#include "stencil.h"

#include <cuda_runtime.h>

// Every thread walks along z.
__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  const int plane = nx * ny;

  float below = 0;
  float centre = in[y * nx + x];
  for (int z = 0; z < nz; ++z) {
    const int i = (z * ny + y) * nx + x;
    float above = 0;
    if (z < nz - 1) above = in[i + plane];
    if (edge || z == 0 || z == nz - 1) {
      out[i] = centre;
    } else {
      out[i] = kCentre * centre + kNeighbour * in[i - 1] + kNeighbour * in[i + 1] +
               kNeighbour * in[i - nx] + kNeighbour * in[i + nx] + kNeighbour * below +
               kNeighbour * above;
    }
    centre = above;
    below = centre;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((nx + 31) / 32, (ny + 7) / 8);
  update_cells<<<grid, block>>>(in, out, nx, ny, nz);
  if (cudaGetLastError() != cudaSuccess) return;
}
