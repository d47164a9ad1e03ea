#include "emulator/tests/checkers/pair.h"

// One warp hands data to another.

namespace named_barrier {

// One warp produces, another consumes; the third has no part in it and reads all the same.
__device__ void arrive() {
  asm volatile("bar.arrive 1, 64;" ::: "memory");
}
__device__ void wait() {
  asm volatile("bar.sync 1, 64;" ::: "memory");
}

__global__ void hand_over(const int* a, int* b, int reader) {
  __shared__ int box[32];
  const int lane = int(threadIdx.x) % 32;
  const int warp = int(threadIdx.x) / 32;
  if (warp == 0) {
    box[lane] = a[lane];
    arrive();
  } else if (warp == 1) {
    wait();
  }
  if (warp == reader) b[lane] = box[31 - lane];  // expect: race-shared
}

void run(int reader) {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  hand_over<<<1, 96>>>(a, b, reader);
  finish();
  release(a, b);
}

}  // namespace named_barrier

namespace flag {

// A warp waits for another one's flag in shared memory. Without the fence the flag may be seen
// before the data.
template <bool kFence>
__global__ void hand_over(const int* a, int* b) {
  __shared__ int data[32];
  __shared__ volatile int flag;
  const int lane = int(threadIdx.x) % 32;
  const int warp = int(threadIdx.x) / 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (warp == 0) {
    data[lane] = a[lane];
    __syncwarp();
    if (lane == 0) {
      if (kFence) __threadfence_block();
      flag = 1;
    }
  } else {
    while (flag == 0) {
    }
    if (kFence) __threadfence_block();
    b[lane] = data[31 - lane];  // expect: race-shared
  }
}

template <bool kFence>
void run() {
  int *a = zeros<int>(32), *b = zeros<int>(32);
  hand_over<kFence><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace flag

void bug() {
  named_barrier::run(2);
  flag::run<false>();
}
void clean() {
  named_barrier::run(1);
  flag::run<true>();
}
