// Rung 6: the depth of a phase is chosen at run time, for the device.
//
// A block has 32 x 32 elements of C. `extern __shared__` memory has the size that the launch asks
// for, in bytes. There is one such array per block, so the two tiles are in it one after the other,
// and the host works out how deep they may be: as deep as still lets a multiprocessor hold all the
// blocks that its threads allow. More than 48 KB a block has to be asked for with
// cudaFuncSetAttribute.
//
// Cost: m * k * ceil(n / 32) + k * n * ceil(m / 32) floats, half of rung 4, with barriers once in a
// few hundred steps. In return the loads of a phase no longer overlap with arithmetic of the same
// block; other blocks have to fill in.
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

constexpr int kTile = 32;

__global__ void __launch_bounds__(kTile* kTile, 2)
    multiply(const float* a, const float* b, float* c, int m, int n, int k, int depth) {
  extern __shared__ float tiles[];
  float* const a_tile = tiles;  // kTile rows of depth
  float* const b_tile = tiles + kTile * depth;  // depth rows of kTile
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;

  float sum = 0;
  for (int start = 0; start < k; start += depth) {
    const int steps = min(depth, k - start);  // no step beyond k, so only rows and columns can be
    for (int i = x; i < steps; i += kTile) {
      a_tile[y * depth + i] = row < m ? a[row * k + start + i] : 0;
    }
    for (int i = y; i < steps; i += kTile) {
      b_tile[i * kTile + x] = column < n ? b[(start + i) * n + column] : 0;
    }
    __syncthreads();
    const float* const left = a_tile + y * depth;
    const float* const right = b_tile + x;
#pragma unroll 8
    for (int i = 0; i < steps; ++i) sum += left[i] * right[i * kTile];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

// The deepest phase for which shared memory does not limit how many blocks a multiprocessor holds.
int deepest_phase() {
  int threads = 0;
  int shared = 0;
  int shared_a_block = 0;
  int reserved = 0;  // that the system takes of each block's
  CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0));
  CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK(cudaDeviceGetAttribute(&shared_a_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  const int blocks = std::max(1, threads / (kTile * kTile));
  const int bytes = std::min(shared / blocks - reserved, shared_a_block);
  return bytes / static_cast<int>(2 * kTile * sizeof(float));
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const int depth = deepest_phase();
  const int bytes = static_cast<int>(2 * kTile * depth * sizeof(float));  // of both tiles
  CHECK(cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  const dim3 block(kTile, kTile);
  const dim3 grid((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  multiply<<<grid, block, bytes>>>(a, b, c, m, n, k, depth);
  CHECK(cudaGetLastError());
}
