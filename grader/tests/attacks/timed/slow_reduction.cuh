#pragma once
// What attacks on the clocks hide: an honest reduction that earns no points for its speed. A
// few blocks walk an array that fills a GPU, and 256 any other.
#include "reduction.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>

static constexpr int kThreads = 256;
static constexpr int kFewBlocks = 224;
static constexpr int kFillsGpu = 1 << 26;

static __device__ float partial_results[256];

static __device__ float combine(float a, float b, int op) {
  return op == kSum ? a + b : op == kProduct ? a * b : op == kMin ? fminf(a, b) : fmaxf(a, b);
}

/// Without `result`, each block's to `partial_results`; without `values`, of those.
static __global__ void reduce(const float* values, float* result, int n, int op) {
  __shared__ float shared[kThreads];
  if (values == nullptr) values = partial_results;
  float mine = op == kSum ? 0.0f : op == kProduct ? 1.0f : op == kMin ? INFINITY : -INFINITY;
  const size_t step = static_cast<size_t>(gridDim.x) * kThreads;
  for (size_t i = blockIdx.x * kThreads + threadIdx.x; i < static_cast<size_t>(n); i += step) {
    mine = combine(mine, values[i], op);
  }
  shared[threadIdx.x] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half], op);
    }
  }
  if (threadIdx.x != 0) return;
  if (result != nullptr) {
    *result = shared[0];
  } else {
    partial_results[blockIdx.x] = shared[0];
  }
}

static void slow_reduction(const float* values, float* result, int n, int op) {
  const int enough = std::max(1, std::min(256, n / kThreads));
  const int blocks = n >= kFillsGpu ? kFewBlocks : enough;
  reduce<<<blocks, kThreads>>>(values, nullptr, n, op);
  reduce<<<1, kThreads>>>(nullptr, result, blocks, op);
}

/// How often it was called in this process: a judged process makes one call or two, and a timed
/// one at least three before the first that counts.
static int this_call() {
  static int calls = 0;
  return ++calls;
}
static constexpr int kLastJudged = 2;
