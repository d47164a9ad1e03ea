#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>

namespace {

// The largest value so far, and the sum of exp(x - m) over what has been seen.
struct State {
  float m = -INFINITY;
  float s = 0.0f;

  __device__ void add(float x) {
    if (x > m) {
      s = m == -INFINITY ? 1.0f : s * __expf(x - m) + 1.0f;
      m = x;
    } else {
      s += expf(x - m);
    }
  }
  __device__ void join(const State& other) {
    const float now = fmaxf(m, other.m);
    const float left = m == -INFINITY ? 0.0f : s * expf(m - now);
    const float right = other.m == -INFINITY ? 0.0f : other.s * expf(other.m - now);
    m = now;
    s = left + right;
  }
};

__global__ void rows_kernel(const float* in, float* out, int columns) {
  __shared__ float ms[128];
  __shared__ float ss[128];
  const float* row = in + static_cast<size_t>(blockIdx.x) * columns;
  float* to = out + static_cast<size_t>(blockIdx.x) * columns;
  State state;
  for (int c = threadIdx.x; c < columns; c += 128) state.add(row[c]);
  ms[threadIdx.x] = state.m;
  ss[threadIdx.x] = state.s;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      State other;
      other.m = ms[threadIdx.x + half];
      other.s = ss[threadIdx.x + half];
      state.join(other);
      ms[threadIdx.x] = state.m;
      ss[threadIdx.x] = state.s;
    }
    __syncthreads();
  }
  const float largest = ms[0];
  const float sum = ss[0];
  for (int c = threadIdx.x; c < columns; c += 128) to[c] = expf(row[c] - largest) / sum;
}

}  // namespace

void softmax(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  rows_kernel<<<rows, 128>>>(in, out, columns);
  if (cudaGetLastError() != cudaSuccess) return;
}
