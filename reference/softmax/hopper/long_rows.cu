// Softmax of long rows on Hopper: the row in the registers of a block or, from 32769 columns, of a
// cluster of blocks.
//
// Each warp computes exponentials relative to its own largest value, without waiting for the
// others. Then they exchange a pair (largest value, sum), and a thread multiplies what it has by
// one factor. One barrier, where the solution has two: between loads and stores of a row that fills
// a multiprocessor's registers nothing else can run. Accesses are of 16 bytes. The warps of a
// cluster write their pairs into the shared memory of all its blocks.
//
// Sizes: columns is a multiple of 4, at most 131072; the arrays are aligned to 16 bytes.
#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "softmax.h"

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

namespace {

constexpr int kLanes = 32;
constexpr unsigned kAllLanes = 0xffffffff;
constexpr int kFours = 8;  // groups of four values that a thread keeps

__device__ float warp_max(float value) {
#pragma unroll
  for (int d = kLanes / 2; d > 0; d /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, d));
  }
  return value;
}

__device__ float warp_sum(float value) {
#pragma unroll
  for (int d = kLanes / 2; d > 0; d /= 2) value += __shfl_xor_sync(kAllLanes, value, d);
  return value;
}

// The largest of some values, and the sum of exp(value - largest) over them.
struct Partial {
  float largest;
  float sum;
};

template <int kCluster, int kThreads>
__global__ void __cluster_dims__(kCluster, 1, 1) __launch_bounds__(kThreads)
    row_in_cluster(const float* __restrict__ in, float* __restrict__ out, int columns) {
  constexpr int kWarps = kThreads / kLanes;
  constexpr int kPartials = kWarps * kCluster;
  __shared__ Partial partials[kPartials];
  const auto cluster = cooperative_groups::this_cluster();
  const int rank = static_cast<int>(cluster.block_rank());
  const int lane = threadIdx.x % kLanes;
  const std::size_t row = blockIdx.x / kCluster;
  const auto* from = reinterpret_cast<const float4*>(in + row * columns);
  auto* to = reinterpret_cast<float4*>(out + row * columns);
  const int first = rank * kThreads * kFours + threadIdx.x;
  const int fours = columns / 4;

  float4 kept[kFours];
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int c = first + k * kThreads;
    kept[k] = c < fours ? from[c] : float4{-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  }
  float largest = -INFINITY;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    largest = fmaxf(largest, fmaxf(fmaxf(kept[k].x, kept[k].y), fmaxf(kept[k].z, kept[k].w)));
  }
  largest = warp_max(largest);
  // A warp without columns: -infinity minus -infinity would be NaN.
  const float own = largest == -INFINITY ? 0 : largest;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    kept[k] = {expf(kept[k].x - own), expf(kept[k].y - own), expf(kept[k].z - own),
               expf(kept[k].w - own)};
    sum += (kept[k].x + kept[k].y) + (kept[k].z + kept[k].w);
  }
  sum = warp_sum(sum);

  const int place = rank * kWarps + threadIdx.x / kLanes;
  if constexpr (kCluster > 1) {
    cluster.sync();  // all blocks of the cluster have begun: their shared memory exists
    if (lane < kCluster) *cluster.map_shared_rank(&partials[place], lane) = {largest, sum};
    cluster.sync();
  } else {
    if (lane == 0) partials[place] = {largest, sum};
    __syncthreads();
  }
  constexpr int kEach = (kPartials + kLanes - 1) / kLanes;
  Partial mine[kEach];
  float top = -INFINITY;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const int which = i * kLanes + lane;
    mine[i] = which < kPartials ? partials[which] : Partial{-INFINITY, 0};
    top = fmaxf(top, mine[i].largest);
  }
  top = warp_max(top);
  float all = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) all += mine[i].sum * expf(mine[i].largest - top);
  const float factor = expf(own - top) / warp_sum(all);
#pragma unroll
  for (int k = 0; k < kFours; ++k) {
    const int c = first + k * kThreads;
    if (c < fours) {
      to[c] = {kept[k].x * factor, kept[k].y * factor, kept[k].z * factor, kept[k].w * factor};
    }
  }
}

template <int kCluster, int kThreads>
void launch(const float* in, float* out, int rows, int columns) {
  row_in_cluster<kCluster, kThreads><<<rows * kCluster, kThreads>>>(in, out, columns);
}

}  // namespace

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  constexpr int kPerThread = 4 * kFours;
  if (columns <= 256 * kPerThread) {
    launch<1, 256>(in, out, rows, columns);
  } else if (columns <= 512 * kPerThread) {
    launch<1, 512>(in, out, rows, columns);
  } else if (columns <= 1024 * kPerThread) {
    launch<1, 1024>(in, out, rows, columns);
  } else if (columns <= 4 * 512 * kPerThread) {
    launch<4, 512>(in, out, rows, columns);
  } else {
    launch<8, 512>(in, out, rows, columns);
  }
  CHECK(cudaGetLastError());
}
