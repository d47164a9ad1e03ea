#include "gemm.h"

#include <cuda_runtime.h>

// Part 1: one thread computes one element of C, the sum of a row of A times a column of B.
__global__ void multiply(const float* a, const float* b, float* c, int m, int n, int k) {
  // TODO 1: which row and which column of C are this thread's? Neighboring threads (threadIdx.x)
  // should have neighboring columns.

  // TODO 2: the grid may have more threads than C has elements, to the right and below. Which
  // threads have no element?

  // TODO 3: sum up the k products in a register, then store the sum once.
}

constexpr int kTile = 16;

// Part 2, once all cases pass: the threads of a block share what they load.
__global__ void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float a_tile[kTile][kTile];  // one copy per block
  __shared__ float b_tile[kTile][kTile];

  // TODO 7: row and column as above. But no thread may return here: why not?

  float sum = 0;
  const int phases = 0;  // TODO 8: of kTile steps each. k need not be a multiple of kTile.
  for (int phase = 0; phase < phases; ++phase) {
    // TODO 9: load one element of A and one of B into the tiles. When does A's element exist, when
    // does B's? What belongs into a cell without an element?

    // TODO 10: a barrier, __syncthreads(): who waits for what here?

    // TODO 11: add kTile products from the tiles to the sum.

    // TODO 12: and a second barrier: what would the next phase overwrite without it?
  }

  // TODO 13: store the sum, if this thread has an element of C.
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  // a, b and c are in the device's memory already.

  // TODO 4: when is there nothing to compute, and what has to happen when k is 0?

  // TODO 5: how many blocks of 16 x 16 threads cover m rows and n columns? Launch multiply.

  // TODO 6: was the launch accepted? Ask cudaGetLastError().

  // TODO 14: launch multiply_tiled instead, and compare the reports of both.
}
