// Rung 4: largest value and sum in one pass.
//
// A sum of exp(x - m) for a smaller m becomes one for a larger m' by a factor exp(m - m'). So a
// thread can add while it still looks for the largest value, and two partial results with different
// m combine to one. A thread without values has m = -infinity, and needs care.
//
// Cost: 2 loads and 2 exponentials per value, 1 barrier per row.
#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>
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

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr unsigned kAllLanes = 0xffffffff;

// The largest of some values, and the sum of exp(value - largest) over them.
struct Partial {
  float largest;
  float sum;
};

// Adds a value: one exponential, whichever of the two is larger, and no branch.
__device__ Partial add(Partial a, float x) {
  const float step = x - a.largest;
  const float e = expf(-fabsf(step));
  const bool larger = step > 0;
  // x - x is 0, and NaN for infinity, as the formula says.
  return {larger ? x : a.largest, a.sum * (larger ? e : 1) + (larger ? 1 + (x - x) : e)};
}

// The largest value of the warp first, then the sums with respect to it: one exponential per lane.
__device__ Partial combine_warp(Partial mine) {
  float largest = mine.largest;
  for (int d = 16; d > 0; d /= 2) {
    largest = fmaxf(largest, __shfl_xor_sync(kAllLanes, largest, d));
  }
  if (mine.largest != largest) mine.sum *= expf(mine.largest - largest);
  for (int d = 16; d > 0; d /= 2) mine.sum += __shfl_xor_sync(kAllLanes, mine.sum, d);
  return {largest, mine.sum};
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ Partial part[kWarps];
  const int t = threadIdx.x;
  const int lane = t % 32;
  in += static_cast<size_t>(blockIdx.x) * columns;
  out += static_cast<size_t>(blockIdx.x) * columns;

  Partial mine = {-INFINITY, 0};
  for (int c = t; c < columns; c += kBlock) mine = add(mine, in[c]);
  mine = combine_warp(mine);
  if (lane == 0) part[t / 32] = mine;
  __syncthreads();
  const Partial none = {-INFINITY, 0};
  const Partial row = combine_warp(lane < kWarps ? part[lane] : none);

  for (int c = t; c < columns; c += kBlock) out[c] = expf(in[c] - row.largest) / row.sum;
}

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  softmax_rows<<<rows, kBlock>>>(in, out, columns);
  CHECK(cudaGetLastError());
}
