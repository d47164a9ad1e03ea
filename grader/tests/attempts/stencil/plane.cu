#include "stencil.h"

#include <cuda_runtime.h>

namespace {

constexpr int kX = 32;
constexpr int kY = 8;

// The plane is in shared memory, with one cell of halo on each side; z is walked by the block.
__global__ void planes(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[kY + 2][kX + 2];

  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int x = blockIdx.x * kX + threadIdx.x;
  const int y = blockIdx.y * kY + threadIdx.y;
  if (x >= nx || y >= ny) return;  // this thread has no column

  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  const int plane = nx * ny;
  int i = y * nx + x;

  float low = 0, mid = in[i];
  for (int z = 0; z < nz; ++z, i += plane) {
    const float high = z + 1 < nz ? in[i + plane] : 0.0f;

    tile[ty][tx] = mid;
    if (threadIdx.x == 0 && x > 0) tile[ty][0] = in[i - 1];
    if (threadIdx.x == kX - 1 && x + 1 < nx) tile[ty][kX + 1] = in[i + 1];
    if (threadIdx.y == 0 && y > 0) tile[0][tx] = in[i - nx];
    if (threadIdx.y == kY - 1 && y + 1 < ny) tile[kY + 1][tx] = in[i + nx];
    __syncthreads();

    if (inner && z > 0 && z < nz - 1) {
      out[i] = kCentre * mid + kNeighbour * tile[ty][tx - 1] + kNeighbour * tile[ty][tx + 1] +
               kNeighbour * tile[ty - 1][tx] + kNeighbour * tile[ty + 1][tx] + kNeighbour * low +
               kNeighbour * high;
    } else {
      out[i] = mid;
    }
    __syncthreads();

    low = mid;
    mid = high;
  }
}

}  // namespace

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + kX - 1) / kX, (ny + kY - 1) / kY);
  planes<<<grid, dim3(kX, kY)>>>(in, out, nx, ny, nz);
  if (cudaGetLastError() != cudaSuccess) return;
}
