#include "softmax.h"

#include <cuda_runtime.h>

namespace {

// One thread normalizes one line of values, `length` of them, `step` apart.
__global__ void normalize(const float* in, float* out, int lines, int line_step, int length, int step) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  const float* x = in + static_cast<size_t>(line) * line_step;
  float* y = out + static_cast<size_t>(line) * line_step;
  // online: the largest value so far, and the sum with respect to it
  float m = x[0], s = 1.0f;
  for (int j = 1; j < length; ++j) {
    const float v = x[static_cast<size_t>(j) * step];
    const float now = fmaxf(m, v);
    s = s * expf(m - now) + expf(v - now);
    m = now;
  }
  for (int j = 0; j < length; ++j) {
    const size_t at = static_cast<size_t>(j) * step;
    y[at] = expf(x[at] - m) / s;
  }
}

}  // namespace

void softmax(const float* in, float* out, int rows, int columns) {
  normalize<<<(columns + 127) / 128, 128>>>(in, out, columns, 1, rows, columns);
}
