// Rung 1: three kernels, with scores and weights in global memory; both products by WMMA.
//
// A block of four warps computes 64 x 64 scores, or 64 x 64 elements of the result, a warp 32 x 32
// of them: 2 x 2 fragments of 16 x 16 sums. Scores are stored as float, weights as half precision,
// in rows whose length is rounded up to whole tiles: fragments are stored as a whole.
//
// Cost: n * n scores per head are stored and loaded, and so are the weights: 12 bytes in all for
// each. What a causal query does not see is computed, too.
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

constexpr int kTile = 64;
constexpr int kPiece = 16;  // rows, columns and steps of a fragment
constexpr int kThreads = 128;  // 2 x 2 warps
constexpr int kWarpTile = 32;
constexpr int kChunk = 8;  // elements of 16 bytes
constexpr int kPitch = kTile + kChunk;  // rows begin in other banks than the rows above

using Left = wmma::fragment<wmma::matrix_a, kPiece, kPiece, kPiece, __half, wmma::row_major>;
using Sums = wmma::fragment<wmma::accumulator, kPiece, kPiece, kPiece, float>;

// Copies 64 rows and columns, of which `count` rows exist; the others become zeros.
__device__ void load_tile(__half (&to)[kTile][kPitch], const __half* from, int pitch, int count) {
  for (int i = threadIdx.x; i < kTile * kTile / kChunk; i += kThreads) {
    const int row = i / (kTile / kChunk);
    const int column = i % (kTile / kChunk) * kChunk;
    *reinterpret_cast<uint4*>(&to[row][column]) =
        row < count ? *reinterpret_cast<const uint4*>(from + row * pitch + column)
                    : make_uint4(0, 0, 0, 0);
  }
}

// sums += a * b, or a * b transposed, of one warp: 32 x 32 of 64 x 64 x 64.
template <class Layout>
__device__ void multiply_tiles(Sums (&sums)[2][2], const __half (&a)[kTile][kPitch],
                               const __half (&b)[kTile][kPitch], int row, int column) {
  constexpr bool kTransposed = std::is_same_v<Layout, wmma::col_major>;
  for (int step = 0; step < kTile; step += kPiece) {
    Left left[2];
    wmma::fragment<wmma::matrix_b, kPiece, kPiece, kPiece, __half, Layout> right[2];
    for (int i = 0; i < 2; ++i) {
      const int at = column + i * kPiece;
      wmma::load_matrix_sync(left[i], &a[row + i * kPiece][step], kPitch);
      wmma::load_matrix_sync(right[i], kTransposed ? &b[at][step] : &b[step][at], kPitch);
    }
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 2; ++j) wmma::mma_sync(sums[i][j], left[i], right[j], sums[i][j]);
    }
  }
}

// scores(h, i, j), without their scale, in rows of `pitch`.
__global__ void all_scores(const __half* q, const __half* k, float* scores, int n, int depth,
                           int pitch) {
  __shared__ __align__(32) __half q_tile[kTile][kPitch];
  __shared__ __align__(32) __half k_tile[kTile][kPitch];
  const std::size_t head = static_cast<std::size_t>(blockIdx.z) * n * depth;
  const int query = blockIdx.y * kTile;
  const int key = blockIdx.x * kTile;
  const int row = threadIdx.x / 64 * kWarpTile;
  const int column = threadIdx.x / 32 % 2 * kWarpTile;
  Sums sums[2][2];
  for (auto& two : sums) {
    for (auto& sum : two) wmma::fill_fragment(sum, 0);
  }
  for (int c = 0; c < depth; c += kTile) {
    load_tile(q_tile, q + head + query * depth + c, depth, n - query);
    load_tile(k_tile, k + head + key * depth + c, depth, n - key);
    __syncthreads();
    multiply_tiles<wmma::col_major>(sums, q_tile, k_tile, row, column);
    __syncthreads();
  }
  float* const to = scores + (static_cast<std::size_t>(blockIdx.z) * pitch + query) * pitch + key;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      wmma::store_matrix_sync(to + (row + i * kPiece) * pitch + column + j * kPiece, sums[i][j],
                              pitch, wmma::mem_row_major);
    }
  }
}

// One warp per row; the weights of keys that are not seen are 0, and so are those of rows that do
// not exist.
__global__ void softmax_rows(const float* scores, __half* weights, int n, int pitch, float scale,
                             bool causal) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const std::size_t start = (static_cast<std::size_t>(blockIdx.y) * pitch + row) * pitch;
  const int keys = row >= n ? 0 : causal ? row + 1 : n;
  float largest = -INFINITY;
  for (int j = lane; j < keys; j += 32) largest = fmaxf(largest, scores[start + j]);
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  float sum = 0;
  for (int j = lane; j < keys; j += 32) sum += __expf(scale * (scores[start + j] - largest));
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  for (int j = lane; j < pitch; j += 32) {
    const float weight = j < keys ? __expf(scale * (scores[start + j] - largest)) / sum : 0;
    weights[start + j] = __float2half(weight);
  }
}

__global__ void weighted_sums(const __half* weights, const __half* v, __half* out, int n, int depth,
                              int pitch) {
  __shared__ __align__(32) __half w_tile[kTile][kPitch];
  __shared__ __align__(32) __half v_tile[kTile][kPitch];
  __shared__ __align__(32) float results[kTile][kTile + 4];
  const std::size_t head = static_cast<std::size_t>(blockIdx.z) * n * depth;
  const int query = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  const int row = threadIdx.x / 64 * kWarpTile;
  const int column = threadIdx.x / 32 % 2 * kWarpTile;
  const __half* const from =
      weights + (static_cast<std::size_t>(blockIdx.z) * pitch + query) * pitch;
  Sums sums[2][2];
  for (auto& two : sums) {
    for (auto& sum : two) wmma::fill_fragment(sum, 0);
  }
  for (int key = 0; key < n; key += kTile) {
    load_tile(w_tile, from + key, pitch, kTile);
    load_tile(v_tile, v + head + key * depth + first_column, depth, n - key);
    __syncthreads();
    multiply_tiles<wmma::row_major>(sums, w_tile, v_tile, row, column);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      wmma::store_matrix_sync(&results[row + i * kPiece][column + j * kPiece], sums[i][j],
                              kTile + 4, wmma::mem_row_major);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kTile * kTile / 2; i += kThreads) {
    const int r = i / (kTile / 2);
    const int c = i % (kTile / 2) * 2;
    if (query + r >= n) continue;
    *reinterpret_cast<__half2*>(out + head + (query + r) * depth + first_column + c) =
        __floats2half2_rn(results[r][c], results[r][c + 1]);
  }
}

void attention_half(const __half* q, const __half* k, const __half* v, __half* out, int heads,
                    int n, int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  const int tiles = (n + kTile - 1) / kTile;
  const int pitch = tiles * kTile;
  const std::size_t count = static_cast<std::size_t>(heads) * pitch * pitch;
  float* scores = nullptr;
  __half* weights = nullptr;
  CHECK(cudaMalloc(&scores, count * sizeof(float)));
  CHECK(cudaMalloc(&weights, count * sizeof(__half)));
  all_scores<<<dim3(tiles, tiles, heads), kThreads>>>(q, k, scores, n, depth, pitch);
  softmax_rows<<<dim3(pitch / 8, heads), 256>>>(scores, weights, n, pitch, scale, causal != 0);
  weighted_sums<<<dim3(depth / kTile, tiles, heads), kThreads>>>(weights, v, out, n, depth, pitch);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(scores));
  CHECK(cudaFree(weights));
}
