#include "emulator/tests/checkers/pair.h"

// Blocks that order their accesses by fences and flags, and the same without.

namespace last_block {

// The last block to finish sums what the others left.
template <bool kFence>
__global__ void reduce(const int* a, int* parts, unsigned* tickets, int* b) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += a[blockIdx.x * 32 + i];
    parts[blockIdx.x] = sum;
    if (kFence) __threadfence();
    last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i];  // expect: race-global
    *b = sum;
  }
}

template <bool kFence>
void run() {
  int *a = zeros<int>(256), *parts = zeros<int>(8), *b = zeros<int>(1);
  unsigned* tickets = zeros<unsigned>(1);
  reduce<kFence><<<8, 32>>>(a, parts, tickets, b);
  finish();
  release(a, parts, b, tickets);
}

}  // namespace last_block

namespace reset_by_the_last {

// The last to arrive at a barrier over the grid resets its counter: who waits has fenced before.
template <bool kFence>
__global__ void meet(unsigned* count, volatile unsigned* go, int* b) {
  if (threadIdx.x != 0) return;
  if (kFence) __threadfence();
  if (atomicAdd(count, 1u) == gridDim.x - 1) {
    __threadfence();
    *count = 0;  // expect: race-global
    __threadfence();
    *go = 1;
  } else {
    while (*go == 0) {
    }
  }
  __threadfence();
  b[blockIdx.x] = 1;
}

template <bool kFence>
void run() {
  unsigned *count = zeros<unsigned>(1), *go = zeros<unsigned>(1);
  int* b = zeros<int>(4);
  meet<kFence><<<4, 32>>>(count, go, b);
  finish();
  release(count, go, b);
}

}  // namespace reset_by_the_last

namespace no_barrier {

// One thread's fence covers what its block did only with a barrier before it.
template <bool kBarrier>
__global__ void reduce(int* parts, unsigned* tickets, int* b) {
  __shared__ bool last;
  parts[blockIdx.x * 64 + threadIdx.x] = int(threadIdx.x);
  if (kBarrier) __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
      sum += parts[i * 64 + threadIdx.x];  // expect: race-global
    b[threadIdx.x] = sum;
  }
}

template <bool kBarrier>
void run() {
  int *parts = zeros<int>(512), *b = zeros<int>(64);
  unsigned* tickets = zeros<unsigned>(1);
  reduce<kBarrier><<<8, 64>>>(parts, tickets, b);
  finish();
  release(parts, b, tickets);
}

}  // namespace no_barrier

namespace fence_scope {

// __threadfence_block() orders nothing for other blocks.
template <bool kDevice>
__global__ void hand_over(int* data, unsigned* flag, int* b) {
  if (blockIdx.x == 0) {
    *data = 1;
    if (kDevice) {
      __threadfence();
    } else {
      __threadfence_block();
    }
    atomicExch(flag, 1u);
  } else {
    while (atomicAdd(flag, 0u) == 0) {
    }
    __threadfence();
    *b = *data;  // expect: race-global
  }
}

template <bool kDevice>
void run() {
  int *data = zeros<int>(1), *b = zeros<int>(1);
  unsigned* flag = zeros<unsigned>(1);
  hand_over<kDevice><<<2, 1>>>(data, flag, b);
  finish();
  release(data, b, flag);
}

}  // namespace fence_scope

namespace plain_flag {

// A flag that is read with a plain load may be read once and never again.
template <class Flag>
__global__ void hand_over(int* data, Flag* flag, int* b) {
  if (blockIdx.x == 0) {
    *data = 1;  // expect: race-global
    __threadfence();
    *const_cast<volatile int*>(flag) = 1;
  } else {
    while (*flag == 0) {  // expect: race-global
      __threadfence();
    }
    __threadfence();
    *b = *const_cast<volatile int*>(data);
  }
}

template <class Flag>
void run() {
  int *data = zeros<int>(1), *flag = zeros<int>(1), *b = zeros<int>(1);
  hand_over<Flag><<<2, 1>>>(data, flag, b);
  finish();
  release(data, flag, b);
}

}  // namespace plain_flag

namespace counter {

// What only atomics change is read with a plain load while other blocks still add.
template <bool kAtomic>
__global__ void count(int* counter, int* b) {
  atomicAdd(counter, 1);
  if (threadIdx.x == 0) {
    b[blockIdx.x] = kAtomic ? atomicAdd(counter, 0)
                            : *counter;  // expect: race-global // expect warning: warp-synchronous
  }
}

template <bool kAtomic>
void run() {
  int *counter = zeros<int>(1), *b = zeros<int>(4);
  count<kAtomic><<<4, 64>>>(counter, b);
  finish();
  release(counter, b);
}

}  // namespace counter

namespace lock {

// A spin lock around a plain update.
template <bool kFence>
__global__ void add(int* lock, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (kFence) __threadfence();
  *sum += int(blockIdx.x);  // expect: race-global
  if (kFence) __threadfence();
  atomicExch(lock, 0);
}

template <bool kFence>
void run() {
  int *mutex = zeros<int>(1), *sum = zeros<int>(1);
  add<kFence><<<8, 32>>>(mutex, sum);
  finish();
  release(mutex, sum);
}

}  // namespace lock

namespace look_back {

// Each block waits for the prefix of the one before it.
template <bool kFence>
__global__ void scan(const int* a, int* prefix, volatile int* ready, int* b) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    int sum = 0;
    if (blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      __threadfence();
      sum = prefix[blockIdx.x - 1];  // expect: race-global
    }
    before = sum;
    prefix[blockIdx.x] = sum + 32;
    if (kFence) __threadfence();
    ready[blockIdx.x] = 1;
  }
  __syncthreads();
  b[blockIdx.x * 32 + threadIdx.x] = before + a[blockIdx.x * 32 + threadIdx.x];
}

template <bool kFence>
void run() {
  int *a = zeros<int>(1024), *prefix = zeros<int>(32), *ready = zeros<int>(32);
  int* b = zeros<int>(1024);
  scan<kFence><<<32, 32>>>(a, prefix, ready, b);
  finish();
  release(a, prefix, ready, b);
}

}  // namespace look_back

namespace grid_barrier {

// A barrier of all blocks, by hand: every block writes, then reads what its neighbour wrote.
template <bool kFence>
__global__ void exchange(int* data, unsigned* arrived, int* b) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned round = 1; round <= 3; ++round) {
    data[round * 256 + i] = int(i);
    __syncthreads();
    if (threadIdx.x == 0) {
      if (kFence) __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < round * gridDim.x) {
      }
      if (kFence) __threadfence();
    }
    __syncthreads();
    b[i] = data[round * 256 + 255 - i];  // expect: race-global
  }
}

template <bool kFence>
void run() {
  int *data = zeros<int>(1024), *b = zeros<int>(256);
  unsigned* arrived = zeros<unsigned>(1);
  exchange<kFence><<<4, 64>>>(data, arrived, b);
  finish();
  release(data, b, arrived);
}

}  // namespace grid_barrier

namespace ring {

// A producer and a consumer take turns with a ring of slots that are smaller than a line.
template <bool kFence>
__global__ void stream(int (*slots)[24], volatile int* produced, volatile int* consumed, int* b) {
  const int t = int(threadIdx.x);
  for (int message = 0; message < 8; ++message) {
    int* const slot = slots[message % 2];
    if (blockIdx.x == 0) {
      if (t == 0) {
        while (message - *consumed >= 2) {
        }
        __threadfence();
      }
      __syncthreads();
      if (t < 24) slot[t] = message;
      __syncthreads();
      if (t == 0) {
        if (kFence) __threadfence();
        *produced = message + 1;
      }
    } else {
      if (t == 0) {
        while (*produced <= message) {
        }
        __threadfence();
      }
      __syncthreads();
      int sum = 0;
      for (int i = 0; i < 24; ++i) sum += slot[(t + i) % 24];  // expect: race-global
      b[message * 64 + t] = sum;
      __syncthreads();
      if (t == 0) {
        if (kFence) __threadfence();
        *consumed = message + 1;
      }
    }
  }
}

template <bool kFence>
void run() {
  int(*slots)[24] = zeros<int[24]>(2);
  int *produced = zeros<int>(1), *consumed = zeros<int>(1), *b = zeros<int>(512);
  stream<kFence><<<2, 64>>>(slots, produced, consumed, b);
  finish();
  release(slots, produced, consumed, b);
}

}  // namespace ring

void bug() {
  last_block::run<false>();
  reset_by_the_last::run<false>();
  no_barrier::run<false>();
  fence_scope::run<false>();
  plain_flag::run<int>();
  counter::run<false>();
  lock::run<false>();
  look_back::run<false>();
  grid_barrier::run<false>();
  ring::run<false>();
}
void clean() {
  last_block::run<true>();
  reset_by_the_last::run<true>();
  no_barrier::run<true>();
  fence_scope::run<true>();
  plain_flag::run<volatile int>();
  counter::run<true>();
  lock::run<true>();
  look_back::run<true>();
  grid_barrier::run<true>();
  ring::run<true>();
}
