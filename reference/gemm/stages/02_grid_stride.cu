// Rung 2: a grid of fixed size walks over C.
//
// The grid has as many blocks as the device keeps busy; each thread computes an element, then the
// one a whole grid further on, in both directions. Any C works with any grid, also one with more
// rows than the 65535 blocks that a grid may have in y, and starting threads is paid less often.
//
// Cost: as in rung 1, 2 * k loads for 2 * k operations. Memory sets the time, so little is gained.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>
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

constexpr int kTile = 16;
constexpr int kBlocksPerMultiprocessor = 4;

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int row = blockIdx.y * kTile + threadIdx.y; row < m; row += gridDim.y * kTile) {
    for (int column = blockIdx.x * kTile + threadIdx.x; column < n; column += gridDim.x * kTile) {
      float sum = 0;
      for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
      c[row * n + column] = sum;
    }
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const int wanted = multiprocessors * kBlocksPerMultiprocessor;
  const int across = std::min((n + kTile - 1) / kTile, wanted);
  const int down = std::min((m + kTile - 1) / kTile, std::max(1, wanted / across));
  multiply<<<dim3(across, down), dim3(kTile, kTile)>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
