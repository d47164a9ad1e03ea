// verdict: fails-performance
// pitfall: P71
// caught-by: performance
// A single block walks over the whole grid.
#include "stencil.h"

#include <cuda_runtime.h>

__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz) {
  const int plane = nx * ny;
  for (int y = threadIdx.y; y < ny; y += blockDim.y) {
    for (int x = threadIdx.x; x < nx; x += blockDim.x) {
      const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
      int i = y * nx + x;
      float below = 0;
      float centre = in[i];
      for (int z = 0; z < nz; ++z, i += plane) {
        const float above = z < nz - 1 ? in[i + plane] : 0;
        float result = centre;
        if (inner && z > 0 && z < nz - 1) {
          result = kCentre * centre + kNeighbour * below + kNeighbour * above +
                   kNeighbour * in[i - 1] + kNeighbour * in[i + 1] + kNeighbour * in[i - nx] +
                   kNeighbour * in[i + nx];
        }
        out[i] = result;
        below = centre;
        centre = above;
      }
    }
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  update_cells<<<1, dim3(32, 32)>>>(in, out, nx, ny, nz);
}
