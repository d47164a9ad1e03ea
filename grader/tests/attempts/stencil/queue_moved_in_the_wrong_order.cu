#include "stencil.h"
#include <cuda_runtime.h>

#define BX 32
#define BY 8

__global__ void stencil_tile (const float *in, float *out, int nx, int ny, int nz)
{
  __shared__ float tile[BY + 2][BX + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int x = blockIdx.x * BX + threadIdx.x;
  int y = blockIdx.y * BY + threadIdx.y;
  bool cell = x < nx && y < ny;
  int plane = nx * ny;
  int i = y * nx + x;

  float below = 0, centre = cell ? in[i] : 0, above = 0;
  for (int z = 0; z < nz; z++)
    {
      if (cell && z + 1 < nz)
        above = in[i + plane];
      tile[ty][tx] = centre;
      if (cell && threadIdx.x == 0 && x > 0)
        tile[ty][0] = in[i - 1];
      if (cell && threadIdx.x == BX - 1 && x < nx - 1)
        tile[ty][BX + 1] = in[i + 1];
      if (cell && threadIdx.y == 0 && y > 0)
        tile[0][tx] = in[i - nx];
      if (cell && threadIdx.y == BY - 1 && y < ny - 1)
        tile[BY + 1][tx] = in[i + nx];
      __syncthreads ();
      if (cell)
        {
          float v = centre;
          if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
            v = kCentre * centre + kNeighbour * tile[ty][tx - 1] + kNeighbour * tile[ty][tx + 1]
                + kNeighbour * tile[ty - 1][tx] + kNeighbour * tile[ty + 1][tx] + kNeighbour * below
                + kNeighbour * above;
          out[i] = v;
        }
      centre = above;
      below = centre;
      i += plane;
    }
}

void stencil (const float *in, float *out, int nx, int ny, int nz)
{
  if (nx * ny * nz == 0)
    return;
  stencil_tile<<<dim3 ((nx + BX - 1) / BX, (ny + BY - 1) / BY), dim3 (BX, BY)>>> (in, out, nx, ny, nz);
}
