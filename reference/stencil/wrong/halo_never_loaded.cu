// verdict: fails-safety
// pitfall: P10
// caught-by: finding unwritten-shared-read
// Only the block's own cells are stored in the tile, not those around it.
#include "stencil.h"

#include <cuda_runtime.h>

constexpr int kBlockX = 32;
constexpr int kBlockY = 8;
constexpr int kPlanes = 8;  // that a thread takes

__global__ void update_columns(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[kBlockY + 2][kBlockX + 2];
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * kBlockY + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int plane = nx * ny;
  const bool exists = x < nx && y < ny;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const int first = blockIdx.z * kPlanes;
  const int end = min(first + kPlanes, nz);
  int i = first * plane + y * nx + x;
  float below = exists && first > 0 ? in[i - plane] : 0;
  float centre = exists ? in[i] : 0;
  for (int z = first; z < end; ++z, i += plane) {
    const float above = exists && z < nz - 1 ? in[i + plane] : 0;
    if (exists) {
      tile[ty][tx] = centre;
    }
    __syncthreads();
    float result = centre;
    if (inner && z > 0 && z < nz - 1) {
      result = kCentre * centre + kNeighbour * below + kNeighbour * above +
               kNeighbour * tile[ty][tx - 1] + kNeighbour * tile[ty][tx + 1] +
               kNeighbour * tile[ty - 1][tx] + kNeighbour * tile[ty + 1][tx];
    }
    if (exists) out[i] = result;
    below = centre;
    centre = above;
    __syncthreads();
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY,
                  (nz + kPlanes - 1) / kPlanes);
  update_columns<<<grid, block>>>(in, out, nx, ny, nz);
}
