// The reference: columns along z with a queue of three registers, neighbours in x and y from L1.
//
// Each cell has to be read from memory and written to it once, 8 bytes for 13 operations, so memory
// is the limit. The four neighbours of a plane are in L1: the block loads the plane that it needs
// next as the cells above, and 34 x 10 cells are 1.4 KB. No barrier holds a warp back, and the loop
// is unrolled, so that the cells above of the next planes are under way before they are needed.
#include "stencil.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
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

namespace {

constexpr int kBlockX = 32;
constexpr int kBlockY = 8;
constexpr int kMostPlanes = 32;  // that a thread takes
constexpr int kEnoughBlocks = 2000;

__global__ void __launch_bounds__(kBlockX* kBlockY)
    update_columns(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz,
                   int planes) {
  const int x = blockIdx.x * kBlockX + threadIdx.x;
  const int y = blockIdx.y * kBlockY + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(nx) * ny;
  const int first = blockIdx.z * planes;
  const int end = min(first + planes, nz);
  std::ptrdiff_t i = first * plane + static_cast<std::ptrdiff_t>(y) * nx + x;
  if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1) {
    for (int z = first; z < end; ++z, i += plane) out[i] = in[i];
    return;
  }
  int z = first;
  float centre = in[i];
  if (z == 0) {
    out[i] = centre;
    ++z;
    i += plane;
  }
  if (z >= end) return;
  float below = z == first ? in[i - plane] : centre;
  centre = z == first ? centre : in[i];
  const int last_inner = min(end, nz - 1);
#pragma unroll 4
  for (; z < last_inner; ++z, i += plane) {
    const float above = in[i + plane];
    out[i] = kCentre * centre + kNeighbour * below + kNeighbour * above + kNeighbour * in[i - 1] +
             kNeighbour * in[i + 1] + kNeighbour * in[i - nx] + kNeighbour * in[i + nx];
    below = centre;
    centre = above;
  }
  if (z < end) out[i] = centre;
}

}  // namespace

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 block(kBlockX, kBlockY);
  dim3 grid((nx + kBlockX - 1) / kBlockX, (ny + kBlockY - 1) / kBlockY);
  // Long columns save the two additional loads, short ones make more blocks.
  const int columns = static_cast<int>(std::min(grid.x * grid.y, 1u << 20));
  const int parts =
      std::max((kEnoughBlocks + columns - 1) / columns, (nz + kMostPlanes - 1) / kMostPlanes);
  const int planes = std::max(4, (nz + parts - 1) / parts);
  grid.z = (nz + planes - 1) / planes;
  update_columns<<<grid, block>>>(in, out, nx, ny, nz, planes);
  CHECK(cudaGetLastError());
}
