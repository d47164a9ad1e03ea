// lab:     stencil
// does:    copies the grid into one with a border of zeros, in three dimensions
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "stencil.h"

__global__ void step(cudaPitchedPtr padded, float* out, int nx, int ny, int nz) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= static_cast<size_t>(nx) * ny * nz) return;
  const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
  const auto at = [&](int dx, int dy, int dz) {
    const size_t row = static_cast<size_t>(z + 1 + dz) * (ny + 2) + y + 1 + dy;
    const char* start = static_cast<const char*>(padded.ptr) + row * padded.pitch;
    return reinterpret_cast<const float*>(start)[x + 1 + dx];
  };
  const bool inner = x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
  const float own = at(0, 0, 0);
  out[i] = inner ? kCentre * own + kNeighbour * at(-1, 0, 0) + kNeighbour * at(1, 0, 0) +
                       kNeighbour * at(0, -1, 0) + kNeighbour * at(0, 1, 0) +
                       kNeighbour * at(0, 0, -1) + kNeighbour * at(0, 0, 1)
                 : own;
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const size_t word = sizeof(float);
  cudaPitchedPtr padded;
  const cudaExtent whole = make_cudaExtent((nx + 2) * word, ny + 2, nz + 2);
  cudaMalloc3D(&padded, whole);
  cudaMemset3D(padded, 0, whole);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<float*>(in), nx * word, nx, ny);
  copy.dstPtr = padded;
  copy.dstPos = make_cudaPos(word, 1, 1);
  copy.extent = make_cudaExtent(nx * word, ny, nz);
  copy.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3D(&copy);
  const size_t count = static_cast<size_t>(nx) * ny * nz;
  step<<<static_cast<unsigned>((count + 127) / 128), 128>>>(padded, out, nx, ny, nz);
  cudaFree(padded.ptr);
}
