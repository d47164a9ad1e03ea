#include <cuda_pipeline.h>

#include "emulator/tests/checkers/pair.h"

// Each thread waits for its own copy, but not for those of the other warps.
__global__ void reverse(const int* a, int* b, bool barrier) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &a[i], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (barrier) __syncthreads();
  b[i] = tile[63 - i];  // expect: unwritten-shared-read // expect anywhere: race-shared
}

void run(bool barrier) {
  int *a = zeros<int>(64), *b = zeros<int>(64);
  reverse<<<1, 64>>>(a, b, barrier);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
