#include "gemm_fused.h"

#include <cuda_runtime.h>

// One thread per element of `out`, in blocks and tiles of 16 x 16.
constexpr int kTile = 16;

__global__ void layer(const float* a, const float* b, const float* c, float* out, int m, int n,
                      int k) {
  // TODO 1: which row and which column of `out` has this thread?

  // TODO 2: a loop over tiles. A is stored by rows, B by columns: which element of B's tile does a
  // thread load, so that neighboring threads load neighboring floats? Where in the tile does it
  // go? What is loaded outside the matrices?

  // TODO 3: after the loop, add C and apply max(0, ...) while the sum is still in a register.
}

void gemm_fused(const float* a, const float* b, const float* c, float* out, int m, int n, int k) {
  // All arrays are in device memory already.

  // TODO 4: when is there nothing to do? Launch the kernel, and check the launch.

  // TODO 5: once all cases pass, let a thread compute several elements, and look at the banks.
}
