#include "tensor.h"

#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstddef>

// To begin with: 64 x 64 elements of C per block, 32 x 32 per warp, by WMMA. The later rungs use
// what is in sm80.h, and those for Hopper what is in sm90.h.
constexpr int kTile = 64;
constexpr int kDepth = 32;  // steps of k per phase
constexpr int kThreads = 128;

__global__ void multiply(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m,
                         int n, int k) {
  // TODO 1: shared memory for the tiles of A and B, in rows of which length? And for the sums,
  // which WMMA stores as float?

  // TODO 2: a loop over phases. Which 16 bytes does a thread load? What is in a tile outside the
  // matrices? Where are the two barriers?

  // TODO 3: a warp's fragments: load those of A and B for 16 steps, multiply, and go on.

  // TODO 4: round the sums to bfloat16, and store those that exist.
}

void gemm_bf16(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int m, int n,
               int k) {
  // All arrays are in device memory already.

  // TODO 5: when is there nothing to do? Launch the kernel, and check the launch.

  // TODO 6: once all cases pass, climb: ldmatrix, a swizzle, stages, larger tiles per warp.
}
