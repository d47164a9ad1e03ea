#include <cuda_pipeline.h>

#include "emulator/tests/checkers/pair.h"

// The copied tile is read, or written to, before the thread has waited for its copy.
__global__ void reverse(const int* a, int* b, bool wait) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &a[i], sizeof(int));
  __pipeline_commit();
  if (wait) __pipeline_wait_prior(0);
  __syncthreads();
  b[i] = tile[31 - i];  // expect: async-copy-in-flight P78
}

// Two stages: the wait leaves the copy that is needed now in flight, too.
__global__ void two_stages(const int* a, int* b, bool wait) {
  __shared__ int tiles[2][32];
  const unsigned i = threadIdx.x;
  for (unsigned stage = 0; stage < 2; ++stage) {
    __pipeline_memcpy_async(&tiles[stage][i], &a[stage * 32 + i], sizeof(int));
    __pipeline_commit();
  }
  if (wait) {
    __pipeline_wait_prior(1);
  } else {
    __pipeline_wait_prior(2);
  }
  __syncwarp();
  b[i] = tiles[0][31 - i];  // expect: async-copy-in-flight P78 // expect warning: warp-synchronous
  __pipeline_wait_prior(0);
}

__global__ void cleared(const int* a, int* b, bool wait) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  __pipeline_memcpy_async(&tile[i], &a[i], sizeof(int));  // expect: async-copy-overwritten P79
  if (wait) {
    __pipeline_commit();
    __pipeline_wait_prior(0);
  }
  if (a[i] < 0 || i == 5) tile[i] = 0;
  __pipeline_commit();
  __pipeline_wait_prior(0);
  b[i] = tile[i];
}

// The lanes that are left over copy the last piece again, as those of cooperative groups do.
__global__ void in_pieces(const int* a, int* b) {
  __shared__ alignas(16) int tile[32];
  const unsigned i = threadIdx.x;
  const unsigned piece = i < 8 ? i : 7;
  __pipeline_memcpy_async(&tile[4 * piece], &a[4 * piece], 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  b[i] = tile[31 - i];
}

void run(bool wait) {
  int *a = zeros<int>(64), *b = zeros<int>(32);
  reverse<<<1, 32>>>(a, b, wait);
  two_stages<<<1, 32>>>(a, b, wait);
  cleared<<<1, 32>>>(a, b, wait);
  if (wait) in_pieces<<<1, 32>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
