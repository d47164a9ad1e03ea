// Rung 8: one factor in a register, the other in shared memory.
//
// A block has one thread for each of its 128 rows of C; a thread computes 16 elements of its row.
// An element of A is needed by one thread only and goes to a register; the 8 x 16 tile of B is
// shared, and all threads of a warp read the same element of it at once: one broadcast.
//
// Corner turning: if each thread loaded its own row of A, the lanes of a warp would touch 32 rows
// at once, a sector for each. So the block loads its 128 x 8 piece of A along the rows, 8
// neighbours at a time, puts it into shared memory, and each thread picks its row out there. Rows
// of 9 floats instead of 8: 32 lanes that read down a column then hit 32 banks.
//
// Cost: B is loaded ceil(m / 128) times, A ceil(n / 16) times. 16 multiply-adds take one load of A
// and four of B from shared memory, four floats each, and a thread keeps 16 sums in registers.
#include "gemm.h"

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

constexpr int kRows = 128;  // of C a block, and threads
constexpr int kColumns = 16;  // of C a block and a thread
constexpr int kDepth = kRows / kColumns;  // so that each thread loads one element of B

// By a pointer to one float: clang takes a cast of an array's element for no better aligned than a
// float, and reads four.
__device__ __forceinline__ float4 four_at(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_piece[kRows][kDepth + 1];
  __shared__ __align__(16) float b_tile[kDepth][kColumns];  // read as float4
  const int t = threadIdx.x;
  const int first_row = blockIdx.x * kRows;
  const int first_column = blockIdx.y * kColumns;

  float sums[kColumns] = {};
  for (int start = 0; start < k; start += kDepth) {
    const int step_a = start + t % kDepth;
    for (int i = t / kDepth; i < kRows; i += kRows / kDepth) {
      const int row = first_row + i;
      a_piece[i][t % kDepth] = row < m && step_a < k ? a[row * k + step_a] : 0;
    }
    const int step_b = start + t / kColumns;
    const int column = first_column + t % kColumns;
    b_tile[t / kColumns][t % kColumns] = step_b < k && column < n ? b[step_b * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < kDepth; ++i) {
      const float left = a_piece[t][i];
#pragma unroll
      for (int j = 0; j < kColumns; j += 4) {
        const float4 right = four_at(&b_tile[i][j]);
        sums[j] += left * right.x;
        sums[j + 1] += left * right.y;
        sums[j + 2] += left * right.z;
        sums[j + 3] += left * right.w;
      }
    }
    __syncthreads();
  }

  // The same corner on the way out: a thread has 16 neighbours of one row, a warp should store
  // neighbours. Through shared memory again, eight columns at a time.
#pragma unroll
  for (int half = 0; half < kColumns; half += kDepth) {
    for (int j = 0; j < kDepth; ++j) a_piece[t][j] = sums[half + j];
    __syncthreads();
    const int column = first_column + half + t % kDepth;
    for (int i = t / kDepth; i < kRows; i += kRows / kDepth) {
      const int row = first_row + i;
      if (row < m && column < n) c[row * n + column] = a_piece[i][t % kDepth];
    }
    __syncthreads();
  }
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  // Rows go with x here: a grid has room for 2^31 - 1 blocks in x, for 65535 in y.
  const dim3 grid((m + kRows - 1) / kRows, (n + kColumns - 1) / kColumns);
  multiply<<<grid, kRows>>>(a, b, c, m, n, k);
  CHECK(cudaGetLastError());
}
