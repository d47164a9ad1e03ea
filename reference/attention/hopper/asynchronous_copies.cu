// Attention in float at depth 128, for cards with 227 KB of shared memory: the solution's products,
// with keys and values copied asynchronously.
//
// Keys and values have a buffer each. The values of a tile arrive while its scores are computed,
// and the next keys while the values are summed up, so two barriers per tile are enough and nothing
// waits for memory. The copies are of 16 bytes. By Nsight Compute, 27 % of the solution's
// instructions are not multiply-adds, and many of those are its loads and stores of 4 bytes.
//
// Two blocks fit into a multiprocessor if no word is wasted: the rows of queries and weights are
// not longer than they need be, and odd rows have their words exchanged instead, so that the two
// rows that a warp reads lie in different banks. Rows of keys, of which a warp reads 16, are
// padded.
//
// Sizes: depth 128; the arrays are aligned to 16 bytes.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "attention.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kDepth = 128;
constexpr int kAcross = 16;  // threads with the same queries
constexpr int kDown = 8;  // rows of such threads
constexpr int kThreads = kAcross * kDown;
constexpr int kEach = 8;  // queries per thread
constexpr int kQueries = kEach * kDown;  // of a block
constexpr int kKeys = 64;  // of a tile
constexpr int kKeysEach = kKeys / kAcross;
constexpr int kFours = kDepth / (4 * kAcross);  // four columns of the result each
constexpr int kKeyRow = kDepth + 4;  // words
constexpr int kBytes =
    sizeof(float) * (kQueries * kDepth + kKeys * kKeyRow + kKeys * kDepth + kQueries * kKeys);
constexpr float kLog2E = 1.44269504f;

__device__ float4 read4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

// Copies rows `first` and following of one head, without waiting; 0 where there is no row.
// @param kRow  words from row to row in shared memory
// @param kOdd  by what the places in odd rows are changed (exclusive or)
template <int kRow, int kOdd>
__device__ void send_rows(float* to, const float* from, int first, int n) {
  constexpr int kLanes = kDepth / 4;  // threads of a row
  constexpr int kStep = kThreads / kLanes;  // rows at a time
  const int c = threadIdx.x % kLanes * 4;
  const int mine = threadIdx.x / kLanes;
  const float* source = from + static_cast<std::size_t>(first + mine) * kDepth + c;
#pragma unroll
  for (int i = 0; i < kKeys / kStep; ++i) {
    const int r = mine + i * kStep;
    const bool exists = first + r < n;
    __pipeline_memcpy_async(to + r * kRow + (c ^ (r % 2 * kOdd)),
                            exists ? source + i * kStep * kDepth : from, sizeof(float4),
                            exists ? 0 : sizeof(float4));
  }
}
static_assert(kQueries == kKeys, "send_rows copies as many");

// Thread (tx, ty) has the queries ty, ty + kDown, ... and the keys tx, tx + 16, ... of a tile.
__global__ void __launch_bounds__(kThreads, 2)
    attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
           float* __restrict__ out, int n, float scale, bool causal) {
  constexpr int kOddQuery = 4;
  constexpr int kOddWeight = 16;
  extern __shared__ float4 shared[];
  float* queries = reinterpret_cast<float*>(shared);
  float* keys = queries + kQueries * kDepth;
  float* values = keys + kKeys * kKeyRow;
  float* weights = values + kKeys * kDepth;
  const int tx = threadIdx.x % kAcross, ty = threadIdx.x / kAcross;
  const std::size_t head = static_cast<std::size_t>(blockIdx.y) * n * kDepth;
  q += head;
  k += head;
  v += head;
  out += head;
  const int top = (gridDim.x - 1 - blockIdx.x) * kQueries;
  const float exponent = scale * kLog2E;  // exp(x) is exp2(x * log2(e)), and the card computes exp2
  const int odd = ty % 2;
  send_rows<kDepth, kOddQuery>(queries, q, top, n);
  send_rows<kKeyRow, 0>(keys, k, 0, n);
  __pipeline_commit();
  float largest[kEach], sum[kEach] = {};
  float4 result[kEach][kFours] = {};
#pragma unroll
  for (float& x : largest) x = -INFINITY;
  const int end = causal ? min(n, top + kQueries) : n;
  const float* my_queries = queries + ty * kDepth;
  const float* my_keys = keys + tx * kKeyRow;
  for (int first = 0; first < end; first += kKeys) {
    __pipeline_wait_prior(0);
    __syncthreads();  // the keys are there, and the values and weights before have been read
    send_rows<kDepth, 0>(values, v, first, n);
    __pipeline_commit();
    float score[kEach][kKeysEach] = {};
#pragma unroll 4
    for (int c = 0; c < kDepth; c += 4) {
      float4 key[kKeysEach];
#pragma unroll
      for (int s = 0; s < kKeysEach; ++s) key[s] = read4(my_keys + s * kAcross * kKeyRow + c);
      const float* at = my_queries + (c ^ (kOddQuery * odd));
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const float4 query = read4(at + r * kDown * kDepth);
#pragma unroll
        for (int s = 0; s < kKeysEach; ++s) {
          score[r][s] += query.x * key[s].x;
          score[r][s] += query.y * key[s].y;
          score[r][s] += query.z * key[s].z;
          score[r][s] += query.w * key[s].w;
        }
      }
    }
    if (first + kKeys > n || (causal && first + kKeys > top + 1)) {
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
#pragma unroll
        for (int s = 0; s < kKeysEach; ++s) {
          const int key = first + tx + s * kAcross;
          if (key >= n || (causal && key > top + ty + r * kDown)) score[r][s] = -INFINITY;
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kEach; ++r) {
      float now = largest[r];
#pragma unroll
      for (int s = 0; s < kKeysEach; ++s) now = fmaxf(now, score[r][s]);
#pragma unroll
      for (int d = kAcross / 2; d > 0; d /= 2) now = fmaxf(now, __shfl_xor_sync(~0u, now, d));
      const float factor = exp2f((largest[r] - now) * exponent);
      largest[r] = now;
      const float offset = now * exponent;
      sum[r] *= factor;
#pragma unroll
      for (float4& x : result[r]) {
        x.x *= factor;
        x.y *= factor;
        x.z *= factor;
        x.w *= factor;
      }
#pragma unroll
      for (int s = 0; s < kKeysEach; ++s) {
        const float weight = exp2f(score[r][s] * exponent - offset);
        sum[r] += weight;
        weights[(ty + r * kDown) * kKeys + ((tx + s * kAcross) ^ (kOddWeight * odd))] = weight;
      }
    }
    __pipeline_wait_prior(0);
    __syncthreads();  // the values and weights are there, and the keys have been read
    if (first + kKeys < end) send_rows<kKeyRow, 0>(keys, k, first + kKeys, n);
    __pipeline_commit();
#pragma unroll 1
    for (int j = 0; j < kKeys; j += 4) {
      float4 value[4][kFours];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int f = 0; f < kFours; ++f)
          value[i][f] = read4(values + (j + i) * kDepth + 4 * (tx + f * kAcross));
      }
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const float4 four = read4(weights + (ty + r * kDown) * kKeys + (j ^ (kOddWeight * odd)));
        const float weight[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
          for (int f = 0; f < kFours; ++f) {
            result[r][f].x += weight[i] * value[i][f].x;
            result[r][f].y += weight[i] * value[i][f].y;
            result[r][f].z += weight[i] * value[i][f].z;
            result[r][f].w += weight[i] * value[i][f].w;
          }
        }
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kEach; ++r) {
#pragma unroll
    for (int d = kAcross / 2; d > 0; d /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], d);
    const float factor = 1 / sum[r];
    const int query = top + ty + r * kDown;
    if (query >= n) continue;
#pragma unroll
    for (int f = 0; f < kFours; ++f) {
      const float4 x = result[r][f];
      *reinterpret_cast<float4*>(out + static_cast<std::size_t>(query) * kDepth +
                                 4 * (tx + f * kAcross)) = {x.x * factor, x.y * factor,
                                                            x.z * factor, x.w * factor};
    }
  }
}

}  // namespace

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  if (depth != kDepth) {
    std::fprintf(stderr, "attention: the depth is %d, and this kernel is for %d\n", depth, kDepth);
    std::exit(1);
  }
  CHECK(cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  CHECK(cudaFuncSetAttribute(attend, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared));
  const dim3 grid((n + kQueries - 1) / kQueries, heads);
  attend<<<grid, kThreads, kBytes>>>(q, k, v, out, n, scale, causal != 0);
  CHECK(cudaGetLastError());
}
