#include "attention.h"

#include <cuda_runtime.h>

// One warp per query, 16 of them in a block. They share tiles of K and V.
constexpr int kWarps = 16;
constexpr int kKeys = 32;  // of a tile: one for each lane

template <int kDepth>
__global__ void attend(const float* q, const float* k, const float* v, float* out, int n,
                       float scale, bool causal) {
  // TODO 1: which query of which head has this warp?

  // TODO 2: what is kept of the tiles so far: the largest score, the sum and the weighted values.
  // What do they begin with?

  // TODO 3: a loop over tiles of keys. All threads load a tile of K and one of V. Which barriers?

  // TODO 4: the score of this lane's key. What is the score of a key that does not exist, or that a
  // causal query must not see?

  // TODO 5: the largest score of the warp. If it exceeds the largest one so far, what was summed up
  // before has to be multiplied by something.

  // TODO 6: the weights of 32 keys are in 32 lanes, and each lane has depth / 32 columns of the
  // result.

  // TODO 7: divide by the sum, and store.
}

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  // All arrays are in device memory already.

  // TODO 8: when is there nothing to do? Launch the kernel for the given depth, and check the
  // launch.

  // TODO 9: once all cases pass, let a thread have several queries, so that a value from shared
  // memory is used more than once.
}
