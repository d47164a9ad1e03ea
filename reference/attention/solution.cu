// The reference solution: 64 queries of a block, past which tiles of keys and values go, with 8 x 4
// scores and 8 x 4 (or 8 x 8) results in the registers of each thread. Where that makes too few
// warps, a block has 32 queries and twice as many threads, with 2 queries each.
//
// A warp has two rows of 16 threads. The threads of a row have the same queries, so the largest
// score of a query is found with shuffles. All reads from shared memory are of 16 bytes: four steps
// along the depth for the scores, four keys for the results. Rows are four words longer than they
// need be, so that 8 of them lie in different banks.
#include "attention.h"

#include <cuda_runtime.h>

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

namespace {

constexpr int kAcross = 16;  // threads with the same queries
constexpr int kPad = 4;  // words at the end of each row
constexpr float kLog2E = 1.44269504f;

// What a block works on, with kEach queries for each of kDown rows of threads, and tiles of kKeys
// keys. Its shared memory has 60 KB at most, less than any card offers, but for a depth of 128 with
// tiles of 64 keys: 83 KB.
template <int kDepth, int kEach, int kDown, int kKeys>
struct Shape {
  static constexpr int kThreads = kAcross * kDown;
  static constexpr int kQueries = kEach * kDown;  // of a block
  static constexpr int kRow = kDepth + kPad;  // words of a row of Q, K or V
  static constexpr int kWeightRow = kKeys + kPad;
  static constexpr int kBytes = sizeof(float) * ((kQueries + kKeys) * kRow + kQueries * kWeightRow);
};

__device__ float4 read4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

// Rows `first` and following of one head, times `factor`; 0 where there is no row.
template <int kDepth, int kRows, int kThreads>
__device__ void load_rows(float* to, const float* from, int first, int n, float factor = 1) {
#pragma unroll 16
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads) {
    const bool exists = first + i / kDepth < n;
    to[i / kDepth * (kDepth + kPad) + i % kDepth] = exists ? from[first * kDepth + i] * factor : 0;
  }
}

// Thread (tx, ty) has the queries ty, ty + kDown, ... and the keys tx, tx + 16, ... of a tile.
template <int kDepth, int kEach, int kDown, int kKeys>
__global__ void __launch_bounds__(kAcross* kDown, kDepth == 128 && kKeys == 64 ? 2 : 3)
    attend(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
           float* __restrict__ out, int n, float scale, bool causal) {
  using Block = Shape<kDepth, kEach, kDown, kKeys>;
  constexpr int kThreads = Block::kThreads;
  constexpr int kQueries = Block::kQueries;
  constexpr int kRow = Block::kRow;
  constexpr int kWeightRow = Block::kWeightRow;
  constexpr int kKeysEach = kKeys / kAcross;
  constexpr int kFours = kDepth / (4 * kAcross);  // four columns of the result each

  extern __shared__ float4 shared[];
  float* queries = reinterpret_cast<float*>(shared);
  float* tile = queries + kQueries * kRow;  // of K, and then of V
  float* weights = tile + kKeys * kRow;
  const int tx = threadIdx.x % kAcross;
  const int ty = threadIdx.x / kAcross;
  const std::size_t head = static_cast<std::size_t>(blockIdx.y) * n * kDepth;
  q += head;
  k += head;
  v += head;
  out += head;
  // Causal queries near the end see most keys: these blocks begin first.
  const int top = (gridDim.x - 1 - blockIdx.x) * kQueries;

  // exp(x) is exp2(x * log2(e)), and the card computes exp2: its factor is applied here, once.
  load_rows<kDepth, kQueries, kThreads>(queries, q, top, n, scale * kLog2E);

  float largest[kEach];
  float sum[kEach] = {};  // of this thread's keys
  float4 result[kEach][kFours] = {};
#pragma unroll
  for (float& x : largest) x = -INFINITY;

  const int end = causal ? min(n, top + kQueries) : n;
  for (int first = 0; first < end; first += kKeys) {
    load_rows<kDepth, kKeys, kThreads>(tile, k, first, n);
    __syncthreads();

    float score[kEach][kKeysEach] = {};
#pragma unroll 4
    for (int c = 0; c < kDepth; c += 4) {
      float4 key[kKeysEach];
#pragma unroll
      for (int s = 0; s < kKeysEach; ++s) key[s] = read4(tile + (tx + s * kAcross) * kRow + c);
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const float4 query = read4(queries + (ty + r * kDown) * kRow + c);
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
      // Every query sees key 0, so `now` is a number from the first tile on.
      const float factor = exp2f(largest[r] - now);
      largest[r] = now;
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
        const float weight = exp2f(score[r][s] - now);
        sum[r] += weight;
        weights[(ty + r * kDown) * kWeightRow + tx + s * kAcross] = weight;
      }
    }
    __syncthreads();  // the keys have been read, the weights written

    load_rows<kDepth, kKeys, kThreads>(tile, v, first, n);
    __syncthreads();
#pragma unroll 2
    for (int j = 0; j < kKeys; j += 4) {
      float4 value[4][kFours];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int f = 0; f < kFours; ++f) {
          value[i][f] = read4(tile + (j + i) * kRow + 4 * (tx + f * kAcross));
        }
      }
#pragma unroll
      for (int r = 0; r < kEach; ++r) {
        const float4 four = read4(weights + (ty + r * kDown) * kWeightRow + j);
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
    __syncthreads();  // before the next tile
  }

  // A thread has four adjacent columns, but neighboring threads are to store neighboring floats:
  // through shared memory, where the queries are no longer needed.
#pragma unroll
  for (int r = 0; r < kEach; ++r) {
#pragma unroll
    for (int d = kAcross / 2; d > 0; d /= 2) sum[r] += __shfl_xor_sync(~0u, sum[r], d);
    const float factor = 1 / sum[r];
#pragma unroll
    for (int f = 0; f < kFours; ++f) {
      const float4 x = result[r][f];
      *reinterpret_cast<float4*>(queries + (ty + r * kDown) * kRow + 4 * (tx + f * kAcross)) = {
          x.x * factor, x.y * factor, x.z * factor, x.w * factor};
    }
  }
  __syncthreads();
  const int rows = min(kQueries, n - top);
#pragma unroll 8
  for (int i = threadIdx.x; i < rows * kDepth; i += kThreads) {
    out[top * kDepth + i] = queries[i / kDepth * kRow + i % kDepth];
  }
}

template <int kDepth, int kEach, int kDown, int kKeys>
void launch(const float* q, const float* k, const float* v, float* out, int heads, int n,
            float scale, bool causal) {
  using Block = Shape<kDepth, kEach, kDown, kKeys>;
  const auto kernel = attend<kDepth, kEach, kDown, kKeys>;
  CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Block::kBytes));
  const dim3 grid((n + Block::kQueries - 1) / Block::kQueries, heads);
  kernel<<<grid, Block::kThreads, Block::kBytes>>>(q, k, v, out, n, scale, causal);
  CHECK(cudaGetLastError());
}

// Eight queries per thread if that makes three blocks for two multiprocessors: fewer warps than
// could run, but each loads less from shared memory per operation. So do tiles of 64 keys, for
// which not every card has the shared memory.
template <int kDepth>
void launch(const float* q, const float* k, const float* v, float* out, int heads, int n,
            float scale, bool causal) {
  int device, multiprocessors, most_bytes;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CHECK(cudaDeviceGetAttribute(&most_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  if ((n + 63) / 64 * static_cast<long long>(heads) * 2 < 3 * multiprocessors) {
    launch<kDepth, 2, 16, 32>(q, k, v, out, heads, n, scale, causal);
  } else if (kDepth == 64 || Shape<kDepth, 8, 8, 64>::kBytes <= most_bytes) {
    launch<kDepth, 8, 8, 64>(q, k, v, out, heads, n, scale, causal);
  } else if constexpr (kDepth == 128) {
    launch<kDepth, 8, 8, 32>(q, k, v, out, heads, n, scale, causal);
  }
}

}  // namespace

void attention(const float* q, const float* k, const float* v, float* out, int heads, int n,
               int depth, float scale, int causal) {
  if (heads == 0 || n == 0) return;
  if (depth == 64) {
    launch<64>(q, k, v, out, heads, n, scale, causal != 0);
  } else {
    launch<128>(q, k, v, out, heads, n, scale, causal != 0);
  }
}
