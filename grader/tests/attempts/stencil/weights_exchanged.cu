#include "stencil.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

__global__ void update_cells(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  const int plane = nx * ny;
  const int i = z * plane + y * nx + x;
  const bool inner = x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1;
  if (inner) {
    out[i] = kNeighbour * in[i] + kCentre * in[i - 1] + kCentre * in[i + 1] +
             kCentre * in[i - nx] + kCentre * in[i + nx] + kCentre * in[i - plane] +
             kCentre * in[i + plane];
  } else {
    out[i] = in[i];
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(32, 4, 2);
  const dim3 grid((nx + 31) / 32, (ny + 3) / 4, (nz + 1) / 2);
  update_cells<<<grid, block>>>(in, out, nx, ny, nz);
  CHECK(cudaGetLastError());
}
