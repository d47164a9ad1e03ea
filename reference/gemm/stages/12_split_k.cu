// Rung 12: tiles of 128 x 128, and a sum that several blocks share.
//
// With 8 x 8 elements per thread, a step takes four float4 from shared memory for 64 multiply-adds,
// half of rung 11. But a tile of 128 x 128 is a large piece: a C of 768 x 1152 has 54 of them, and
// half of the multiprocessors of a large card would have nothing to do. Where tiles are too few the
// sum over k is split: each of several blocks adds up its part of the steps for the same tile and
// stores it in scratch memory of its own, and a second kernel adds the parts. The order of the
// additions stays fixed; with atomicAdd it would change from run to run.
//
// Cost: m * k * ceil(n / 128) + k * n * ceil(m / 128) floats, then a float written and read for
// each part of each element, and one launch more. It pays for a small C and a long sum.
#include "gemm.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
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

constexpr int kTile = 128;
constexpr int kDepth = 8;
constexpr int kThreads = 256;  // 16 x 16, each with two by two pieces of 4 x 4 elements, 64 apart
constexpr int kPitch = kTile + 4;
constexpr int kHalf = kTile / 2;

// By a pointer to one float: clang takes a cast of an array's element for no better aligned than a
// float, and reads four.
__device__ __forceinline__ float4 four_at(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}

__device__ float4 load4(const float* matrix, int row, int column, int rows, int columns,
                        bool wide) {
  float4 four = make_float4(0, 0, 0, 0);
  if (row >= rows || column >= columns) return four;
  const float* from = matrix + row * columns + column;
  if (wide) return *reinterpret_cast<const float4*>(from);
  four.x = from[0];
  if (column + 1 < columns) four.y = from[1];
  if (column + 2 < columns) four.z = from[2];
  if (column + 3 < columns) four.w = from[3];
  return four;
}

// Multiplies the steps from blockIdx.z * steps on. Part z of the sums goes to parts + z * m * n.
__global__ void __launch_bounds__(kThreads, 2)
    multiply(const float* a, const float* b, float* parts, int m, int n, int k, int steps,
             bool wide_a, bool wide_b, bool wide_c) {
  __shared__ __align__(16) float a_transposed[2][kDepth][kPitch];
  __shared__ __align__(16) float b_tile[2][kDepth][kTile];
  const int t = threadIdx.x;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;
  const int begin = blockIdx.z * steps;
  const int end = min(k, begin + steps);
  const int a_row = t / 2;
  const int a_step = 4 * (t % 2);
  const int b_step = t / (kTile / 4);
  const int b_column = 4 * (t % (kTile / 4));
  const int y = 4 * (t / 16);
  const int x = 4 * (t % 16);

  float4 p;
  float4 q;
  const auto fetch = [&](int start) {  // a part ends with a whole phase, or with k
    p = load4(a, first_row + a_row, start + a_step, m, k, wide_a);
    q = load4(b, start + b_step, first_column + b_column, k, n, wide_b);
  };
  const auto keep = [&](int buffer) {
    a_transposed[buffer][a_step][a_row] = p.x;
    a_transposed[buffer][a_step + 1][a_row] = p.y;
    a_transposed[buffer][a_step + 2][a_row] = p.z;
    a_transposed[buffer][a_step + 3][a_row] = p.w;
    *reinterpret_cast<float4*>(&b_tile[buffer][b_step][b_column]) = q;
  };
  fetch(begin);
  keep(0);
  __syncthreads();

  float sums[8][8] = {};
  int current = 0;
  for (int start = begin; start < end; start += kDepth) {
    const int next = start + kDepth;
    if (next < end) fetch(next);
#pragma unroll
    for (int step = 0; step < kDepth; ++step) {
      float left[8];
      float right[8];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float4 l = four_at(&a_transposed[current][step][y + half * kHalf]);
        const float4 r = four_at(&b_tile[current][step][x + half * kHalf]);
        left[4 * half] = l.x, left[4 * half + 1] = l.y;
        left[4 * half + 2] = l.z, left[4 * half + 3] = l.w;
        right[4 * half] = r.x, right[4 * half + 1] = r.y;
        right[4 * half + 2] = r.z, right[4 * half + 3] = r.w;
      }
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
      }
    }
    if (next < end) {
      keep(1 - current);
      __syncthreads();
      current = 1 - current;
    }
  }

  float* const c = parts + static_cast<size_t>(blockIdx.z) * m * n;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + y + i % 4 + i / 4 * kHalf;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int column = first_column + x + half * kHalf;
      if (row >= m || column >= n) continue;
      float* to = c + row * n + column;
      const float* four = &sums[i][4 * half];
      if (wide_c) {
        *reinterpret_cast<float4*>(to) = make_float4(four[0], four[1], four[2], four[3]);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          if (column + j < n) to[j] = four[j];
        }
      }
    }
  }
}

__global__ void add_parts(const float* parts, float* c, int count, int splits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float sum = 0;
  for (int z = 0; z < splits; ++z) sum += parts[static_cast<size_t>(z) * count + i];
  c[i] = sum;
}

bool is_wide(const float* matrix, int columns) {
  return reinterpret_cast<std::uintptr_t>(matrix) % sizeof(float4) == 0 && columns % 4 == 0;
}

void gemm(const float* a, const float* b, float* c, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  int multiprocessors = 0;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const dim3 tiles((n + kTile - 1) / kTile, (m + kTile - 1) / kTile);
  const int blocks = static_cast<int>(tiles.x * tiles.y);
  // As many parts as fill the device, but none shorter than two phases.
  const int wanted = std::max(1, std::min(multiprocessors / blocks, k / (2 * kDepth)));
  const int phases = (k + kDepth - 1) / kDepth;
  const int steps = std::max(1, (phases + wanted - 1) / wanted) * kDepth;  // whole phases
  const int splits = std::max(1, (k + steps - 1) / steps);

  float* parts = c;
  const size_t bytes = static_cast<size_t>(splits) * m * n * sizeof(float);
  if (splits > 1) CHECK(cudaMallocAsync(&parts, bytes, 0));
  multiply<<<dim3(tiles.x, tiles.y, splits), kThreads>>>(a, b, parts, m, n, k, steps, is_wide(a, k),
                                                         is_wide(b, n),
                                                         is_wide(parts, n) && m * n % 4 == 0);
  CHECK(cudaGetLastError());
  if (splits > 1) {
    add_parts<<<(m * n + 255) / 256, 256>>>(parts, c, m * n, splits);
    CHECK(cudaGetLastError());
    CHECK(cudaFreeAsync(parts, 0));
  }
}
