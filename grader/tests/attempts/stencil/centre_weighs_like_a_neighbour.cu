#include "stencil.h"

#include <cuda_runtime.h>

__global__ void walk(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const size_t plane = static_cast<size_t>(nx) * ny;
  size_t i = static_cast<size_t>(y) * nx + x;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;

  float below = 0;
  float centre = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float above = z + 1 < nz ? in[i + plane] : 0;
    float result = centre;
    if (inner && z > 0 && z < nz - 1) {
      result = 0;
      for (float neighbour : {centre, below, above, in[i - 1], in[i + 1], in[i - nx], in[i + nx]}) {
        result += kNeighbour * neighbour;
      }
    }
    out[i] = result;
    below = centre;
    centre = above;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  walk<<<dim3((nx + 31) / 32, (ny + 3) / 4), dim3(32, 4)>>>(in, out, nx, ny, nz);
}
