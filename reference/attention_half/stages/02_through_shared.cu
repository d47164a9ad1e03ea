// Rung 2: one kernel. Scores, weights and sums pass through shared memory, as WMMA asks for.
//
// A block has 64 queries, and goes over the keys of its head once, 64 at a time. Each of its four
// warps has 16 queries and all keys of a tile. Which lane has which element of a fragment is not
// specified: so the scores are stored to shared memory, where two lanes per query find the largest
// one and turn them into weights, in half precision; and so are the sums of values, of which each
// row is multiplied by a factor of its own when a larger score has come.
//
// Cost: of each tile, the scores are stored once and loaded twice, the weights stored and loaded,
// and all sums loaded and stored twice. None of that is a product.
#include "attention_half.h"

#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
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

namespace wmma = nvcuda::wmma;

constexpr int kQueries = 64;  // per block
constexpr int kKeys = 64;  // per tile
constexpr int kPiece = 16;  // rows, columns and steps of a fragment; queries of a warp
constexpr int kThreads = 128;
constexpr int kChunk = 8;  // elements of 16 bytes

using Left = wmma::fragment<wmma::matrix_a, kPiece, kPiece, kPiece, __half, wmma::row_major>;
using Keys = wmma::fragment<wmma::matrix_b, kPiece, kPiece, kPiece, __half, wmma::col_major>;
using Values = wmma::fragment<wmma::matrix_b, kPiece, kPiece, kPiece, __half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, kPiece, kPiece, kPiece, float>;

// Rows begin in other banks than the rows above.
template <int kColumns>
using Halves = __half[64][kColumns + kChunk];
template <int kColumns>
using Floats = float[64][kColumns + 4];
template <int kDepth>
struct Shared {
  Halves<kDepth> q;
  Halves<kDepth> k;
  Halves<kDepth> v;
  Halves<kKeys> weights;
  Floats<kKeys> scores;
  Floats<kDepth> sums;
};

// Copies rows, of which `count` exist; the others become zeros.
template <int kDepth>
__device__ void load_rows(Halves<kDepth>& to, const __half* from, int count) {
  for (int i = threadIdx.x; i < 64 * kDepth / kChunk; i += kThreads) {
    const int row = i / (kDepth / kChunk);
    *reinterpret_cast<uint4*>(&to[row][i % (kDepth / kChunk) * kChunk]) =
        row < count ? *reinterpret_cast<const uint4*>(from + i * kChunk) : make_uint4(0, 0, 0, 0);
  }
}

template <int kDepth>
__device__ void find_scores(Shared<kDepth>& shared, int row) {
  for (int key = 0; key < kKeys; key += kPiece) {
    Sums sum;
    wmma::fill_fragment(sum, 0);
    for (int c = 0; c < kDepth; c += kPiece) {
      Left query;
      Keys keys;
      wmma::load_matrix_sync(query, &shared.q[row][c], kDepth + kChunk);
      wmma::load_matrix_sync(keys, &shared.k[key][c], kDepth + kChunk);
      wmma::mma_sync(sum, query, keys, sum);
    }
    wmma::store_matrix_sync(&shared.scores[row][key], sum, kKeys + 4, wmma::mem_row_major);
  }
}

template <int kDepth>
__device__ void add_values(Shared<kDepth>& shared, int row) {
  for (int c = 0; c < kDepth; c += kPiece) {
    Sums sum;
    wmma::load_matrix_sync(sum, &shared.sums[row][c], kDepth + 4, wmma::mem_row_major);
    for (int key = 0; key < kKeys; key += kPiece) {
      Left weight;
      Values values;
      wmma::load_matrix_sync(weight, &shared.weights[row][key], kKeys + kChunk);
      wmma::load_matrix_sync(values, &shared.v[key][c], kDepth + kChunk);
      wmma::mma_sync(sum, weight, values, sum);
    }
    wmma::store_matrix_sync(&shared.sums[row][c], sum, kDepth + 4, wmma::mem_row_major);
  }
}

template <int kDepth>
__global__ void __launch_bounds__(kThreads)
    attend(const __half* q, const __half* k, const __half* v, __half* out, int n, float scale,
           bool causal) {
  extern __shared__ __align__(32) unsigned char memory[];
  auto& shared = *reinterpret_cast<Shared<kDepth>*>(memory);
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x / 32 * kPiece;  // of this warp
  const int mine = row + lane / 2;  // the query of this lane, and of another one
  const int first = blockIdx.x * kQueries;
  const std::size_t start = static_cast<std::size_t>(blockIdx.y) * n * kDepth;
  load_rows<kDepth>(shared.q, q + start + static_cast<std::size_t>(first) * kDepth, n - first);
  for (int i = 0; i < kPiece; ++i) {
    for (int c = lane; c < kDepth; c += 32) shared.sums[row + i][c] = 0;
  }
  float largest = -INFINITY;
  float total = 0;  // of every second weight
  const int keys = causal ? min(first + kQueries, n) : n;
  for (int key = 0; key < keys; key += kKeys) {
    const std::size_t from = start + static_cast<std::size_t>(key) * kDepth;
    load_rows<kDepth>(shared.k, k + from, n - key);
    load_rows<kDepth>(shared.v, v + from, n - key);
    __syncthreads();
    find_scores(shared, row);
    __syncwarp();
    const int seen = (causal ? first + mine + 1 : n) - key;
    float now = largest;
    for (int j = lane % 2; j < min(seen, kKeys); j += 2) now = fmaxf(now, shared.scores[mine][j]);
    now = fmaxf(now, __shfl_xor_sync(~0u, now, 1));
    const float factor = __expf((largest - now) * scale);
    largest = now;
    total *= factor;
    for (int j = lane % 2; j < kKeys; j += 2) {
      const float weight = j < seen ? __expf((shared.scores[mine][j] - now) * scale) : 0;
      total += weight;
      shared.weights[mine][j] = __float2half(weight);
    }
    for (int i = 0; i < kPiece; ++i) {
      const float of_row = __shfl_sync(~0u, factor, 2 * i);
      for (int c = lane; c < kDepth; c += 32) shared.sums[row + i][c] *= of_row;
    }
    __syncwarp();
    add_values(shared, row);
    __syncthreads();
  }
  total += __shfl_xor_sync(~0u, total, 1);
  for (int i = 0; i < kPiece; ++i) {
    const float of_row = 1 / __shfl_sync(~0u, total, 2 * i);
    const int query = first + row + i;
    if (query >= n) continue;
    for (int c = 2 * lane; c < kDepth; c += 64) {
      const float* const pair = &shared.sums[row + i][c];
      *reinterpret_cast<__half2*>(out + start + static_cast<std::size_t>(query) * kDepth + c) =
          __floats2half2_rn(pair[0] * of_row, pair[1] * of_row);
    }
  }
}

template <int kDepth>
void launch(const __half* q, const __half* k, const __half* v, __half* out, int heads, int n,
            float scale, bool causal) {
  constexpr int kBytes = sizeof(Shared<kDepth>);
  CHECK(cudaFuncSetAttribute(attend<kDepth>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  const dim3 grid((n + kQueries - 1) / kQueries, heads);
  attend<kDepth><<<grid, kThreads, kBytes>>>(q, k, v, out, n, scale, causal);
  CHECK(cudaGetLastError());
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const auto begin = depth == 64 ? launch<64> : launch<128>;
  begin(q, k, v, out, heads, n, scale, causal != 0);
}
