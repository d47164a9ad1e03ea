// verdict: fails-concept
// pitfall: P66
// caught-by: concept occupancy
// Correct, but a thread keeps its whole column in shared memory, a block 43 KB: three blocks, 24
// warps of 64, fit into a multiprocessor.
#include "stencil.h"

#include <cuda_runtime.h>

constexpr int kBlockX = 32;
constexpr int kBlockY = 8;
constexpr int kPlanes = 40;  // that a thread takes

__global__ void update_columns(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float column[kPlanes + 2][kBlockY][kBlockX];
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * kBlockY + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const int first = blockIdx.z * kPlanes;
  const int end = min(first + kPlanes, nz);
  // A thread reads only what it has written: no barrier is needed.
  for (int z = max(first - 1, 0); z < min(end + 1, nz); ++z) {
    column[z - first + 1][threadIdx.y][threadIdx.x] = in[z * plane + y * nx + x];
  }
  for (int z = first; z < end; ++z) {
    const int t = z - first + 1;
    const int i = z * plane + y * nx + x;
    float result = column[t][threadIdx.y][threadIdx.x];
    if (inner && z > 0 && z < nz - 1) {
      result = kCentre * result + kNeighbour * column[t - 1][threadIdx.y][threadIdx.x] +
               kNeighbour * column[t + 1][threadIdx.y][threadIdx.x] + kNeighbour * in[i - 1] +
               kNeighbour * in[i + 1] + kNeighbour * in[i - nx] + kNeighbour * in[i + nx];
    }
    out[i] = result;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(kBlockX, kBlockY);
  const dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY,
                  (nz + kPlanes - 1) / kPlanes);
  update_columns<<<grid, block>>>(in, out, nx, ny, nz);
}
