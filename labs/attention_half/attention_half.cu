#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>

#include "f16_sm80.h"

// To begin with: 64 queries per block, 16 per warp. The tiles are rows of 16-byte chunks, as
// ldmatrix and copies of 16 bytes want them. f16_sm90.h is for the last rung.
constexpr int kQueries = 64;
constexpr int kKeys = 64;  // of a tile
constexpr int kThreads = 128;

template <int kDepth>
using Tile = uint4[kKeys][kDepth / 8];

template <int kDepth>
__global__ void attend(const __half* q, const __half* k, const __half* v, __half* out, int n,
                       float scale, bool causal) {
  // TODO 1: shared memory for a tile of Q, of K and of V. What is in rows that do not exist?

  // TODO 2: a lane has parts of which queries? What is kept for each: the largest score, the sum of
  // weights and the weighted values, all in registers.

  // TODO 3: a loop over tiles of keys. Which ones does a causal block visit? Where are barriers?

  // TODO 4: 16 x 64 scores per warp: load_matrices() of Q and of K, multiply_add_f16().

  // TODO 5: the mask. Which query and which key has scores[j][i] of this lane?

  // TODO 6: the largest score of a query is in four lanes. Weights, sums, and the factor of what
  // was summed up before.

  // TODO 7: pack() weights in pairs, as the second product wants them; load_transposed() of V.

  // TODO 8: divide by the sum of all four lanes, and store.
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  // All arrays are in device memory already.

  // TODO 9: when is there nothing to do? Launch the kernel for the given depth, and check the
  // launch.

  // TODO 10: once all cases pass, climb: a swizzle, stages, 32 queries per warp, wgmma.
}
