// verdict: fails-safety
// pitfall: P29
// caught-by: finding warp-synchronous
// The barrier is missing; in a block of 16 threads all of them are lanes of one warp.
#include "smooth.h"

__global__ void smooth_tile(const int* in, int* out, int n) {
  __shared__ int tile[18];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 16 + t;
  tile[t + 1] = i < n ? in[i] : 0;
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  if (t == 15) tile[17] = i + 1 < n ? in[i + 1] : 0;
  out[i] = i < n ? tile[t] + tile[t + 1] + tile[t + 2] : 0;
}

void smooth(const int* in, int* out, int n) {
  smooth_tile<<<(n + 15) / 16, 16>>>(in, out, n);
}
