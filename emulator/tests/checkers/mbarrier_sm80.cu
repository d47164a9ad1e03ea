#include <cuda_awbarrier_primitives.h>

#include "emulator/tests/checkers/pair.h"

// The barrier is used before the thread that initialises it got there.
__global__ void early(int* b, bool wait) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 32) __mbarrier_init(&barrier, blockDim.x);
  if (wait) __syncthreads();
  b[threadIdx.x] = int(__mbarrier_token_pending_count(
      __mbarrier_arrive(&barrier)));  // expect: mbarrier-uninitialized P81
}

// More threads arrive than the barrier counts.
__global__ void crowded(int* b, unsigned count) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, count);
  __syncthreads();
  if (threadIdx.x < 31) {
    b[threadIdx.x] = int(__mbarrier_token_pending_count(
        __mbarrier_arrive_and_drop(&barrier)));  // expect: mbarrier-overflow P80
  }
}

// One arrival is missing for ever.
__global__ void waiting(int* b, unsigned count) {
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0) __mbarrier_init(&barrier, count);
  __syncthreads();
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {  // expect: mbarrier-deadlock P80
  }
  b[threadIdx.x] = 1;
}

void run(bool right) {
  int* b = zeros<int>(64);
  early<<<1, 64>>>(b, right);
  crowded<<<1, 32>>>(b, right ? 31 : 30);
  waiting<<<1, 64>>>(b, right ? 64 : 65);
  finish();
  release(b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
