// verdict: fails-correctness
// pitfall: none
// caught-by: case "whole blocks"
// The centre is overwritten before it becomes the cell below.
#include "stencil.h"

#include <cuda_runtime.h>

constexpr int kBlockX = 32;
constexpr int kBlockY = 8;
constexpr int kPlanes = 8;  // that a thread takes

__global__ void update_columns(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * kBlockY + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const int first = blockIdx.z * kPlanes;
  const int end = min(first + kPlanes, nz);
  int i = first * plane + y * nx + x;
  float below = first > 0 ? in[i - plane] : 0;
  float centre = in[i];
  for (int z = first; z < end; ++z, i += plane) {
    const float above = z < nz - 1 ? in[i + plane] : 0;
    float result = centre;
    if (inner && z > 0 && z < nz - 1) {
      result = kCentre * centre + kNeighbour * below + kNeighbour * above + kNeighbour * in[i - 1] +
               kNeighbour * in[i + 1] + kNeighbour * in[i - nx] + kNeighbour * in[i + nx];
    }
    out[i] = result;
    centre = above;
    below = centre;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY,
                  (nz + kPlanes - 1) / kPlanes);
  update_columns<<<grid, block>>>(in, out, nx, ny, nz);
}
