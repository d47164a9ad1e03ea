// lab:     reduction
// tries:   works on a stream of its own, which the default stream's events do not wait for
// holds:   the host's clock, read when the whole device is idle, counts
// shows:   gpu
// says:    Measured time
// flag:    clocks-disagree

#include "reduction.h"

#include <cuda_runtime.h>

// One block walks all values: slow, so that events which see nothing of it are far off.
static __global__ void reduce(const float* values, float* result, int n, int op) {
  __shared__ float shared[1024];
  const float none = op == kSum ? 0.0f : op == kProduct ? 1.0f : op == kMin ? INFINITY : -INFINITY;
  const auto combine = [op](float a, float b) {
    return op == kSum ? a + b : op == kProduct ? a * b : op == kMin ? fminf(a, b) : fmaxf(a, b);
  };
  float mine = none;
  for (size_t i = threadIdx.x; i < static_cast<size_t>(n); i += blockDim.x) {
    mine = combine(mine, values[i]);
  }
  shared[threadIdx.x] = mine;
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
  }
  if (threadIdx.x == 0) *result = shared[0];
}

void reduction(const float* values, float* result, int n, int op) {
  static cudaStream_t side = nullptr;
  if (side == nullptr) cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  reduce<<<1, 1024, 0, side>>>(values, result, n, op);
}
