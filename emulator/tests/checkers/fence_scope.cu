#include <cuda/atomic>

#include "emulator/tests/checkers/pair.h"

// Volatile accesses race with nothing that is volatile or atomic, and order nothing either.

namespace message {

// Data handed from block to block behind a flag. A fence of the block's scope does not bring them.
template <bool kDevice>
__global__ void hand_over(int* data, int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *static_cast<volatile int*>(data) = 42;
    if (kDevice) {
      __threadfence();
    } else {
      __threadfence_block();
    }
    *static_cast<volatile int*>(flag) = 1;
  } else {
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    __threadfence();
    *out = *static_cast<volatile int*>(data);  // expect warning: fence-scope P33
  }
}

template <bool kDevice>
void run() {
  int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
  hand_over<kDevice><<<2, 32>>>(data, flag, out);
  finish();
  release(data, flag, out);
}

}  // namespace message

namespace barrier_between {

// One thread waits, and the others of its block read after a barrier.
template <bool kDevice>
__global__ void hand_over(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    static_cast<volatile int*>(data)[threadIdx.x] = 42;
    if (kDevice) {
      __threadfence();
    } else {
      __threadfence_block();
    }
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(flag, 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
    }
    __syncthreads();
    out[threadIdx.x] =
        static_cast<volatile int*>(data)[63 - threadIdx.x];  // expect warning: fence-scope P33
  }
}

template <bool kDevice>
void run() {
  int *data = zeros<int>(64), *flag = zeros<int>(1), *out = zeros<int>(64);
  hand_over<kDevice><<<2, 64>>>(data, flag, out);
  finish();
  release(data, flag, out);
}

}  // namespace barrier_between

namespace lock {

// A lock whose fences stay in the block: the updates of other blocks may be lost.
template <bool kDevice>
__device__ void fence() {
  if (kDevice) {
    __threadfence();
  } else {
    __threadfence_block();
  }
}

template <bool kDevice>
__global__ void count(int* lock, int* total) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  fence<kDevice>();
  const int before = *static_cast<volatile int*>(total);  // expect warning: fence-scope P33
  *static_cast<volatile int*>(total) = before + 1;  // expect warning: fence-scope P33
  fence<kDevice>();
  atomicExch(lock, 0);
}

template <bool kDevice>
void run(unsigned blocks) {
  int *lock = zeros<int>(1), *total = zeros<int>(1);
  count<kDevice><<<blocks, 32>>>(lock, total);
  finish();
  release(lock, total);
}

}  // namespace lock

namespace release_scope {

// The flag's scope is the block's, between blocks that is an error of its own; between the warps of
// one block it is enough.
template <bool kBlocks>
__global__ void hand_over(int* data, int* flag, int* out) {
  const bool writes = kBlocks ? blockIdx.x == 0 : threadIdx.x < 32;
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_block> word(*flag);
  if (writes) {
    *static_cast<volatile int*>(data) = 42;
    word.store(1, cuda::memory_order_release);
  } else {
    while (word.load(cuda::memory_order_acquire) == 0) {  // expect: race-global P39
    }
    *out = *static_cast<volatile int*>(data);  // expect warning: fence-scope P33
  }
}

template <bool kBlocks>
void run() {
  int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
  if (kBlocks) {
    hand_over<true><<<2, 32>>>(data, flag, out);
  } else {
    hand_over<false><<<1, 64>>>(data, flag, out);
  }
  finish();
  release(data, flag, out);
}

}  // namespace release_scope

namespace sequence_lock {

// A reader that tries again while the writer's number has changed.
template <bool kDevice>
__device__ void fence() {
  if (kDevice) {
    __threadfence();
  } else {
    __threadfence_block();
  }
}

template <bool kDevice>
__global__ void versions(unsigned* number, int* data, int* out) {
  if (threadIdx.x != 0) return;
  auto* const seen = static_cast<volatile unsigned*>(number);
  auto* const words = static_cast<volatile int*>(data);
  if (blockIdx.x == 0) {
    for (unsigned version = 1; version <= 3; ++version) {
      *seen = 2 * version - 1;
      fence<kDevice>();
      words[0] = static_cast<int>(version);
      words[1] = -static_cast<int>(version);
      fence<kDevice>();
      *seen = 2 * version;
    }
    return;
  }
  unsigned before = 0;
  unsigned after = 0;
  int sum = 0;
  do {
    before = *seen;
    fence<kDevice>();
    sum = words[0];  // expect warning: fence-scope P33
    sum += words[1];  // expect warning: fence-scope P33
    fence<kDevice>();
    after = *seen;
  } while (before != after || before % 2 != 0 || before == 0);
  *out = sum;
}

template <bool kDevice>
void run() {
  unsigned* number = zeros<unsigned>(1);
  int *data = zeros<int>(2), *out = zeros<int>(1);
  versions<kDevice><<<2, 32>>>(number, data, out);
  finish();
  release(number, data, out);
}

}  // namespace sequence_lock

namespace in_one_block {

// Between the warps of one block the block's fence is enough.
__global__ void hand_over(int* data, int* flag, int* out) {
  if (threadIdx.x == 0) {
    *static_cast<volatile int*>(data) = 42;
    __threadfence_block();
    *static_cast<volatile int*>(flag) = 1;
  } else if (threadIdx.x == 32) {
    while (*static_cast<volatile int*>(flag) == 0) {
    }
    __threadfence_block();
    *out = *static_cast<volatile int*>(data);
  }
}

void run() {
  int *data = zeros<int>(1), *flag = zeros<int>(1), *out = zeros<int>(1);
  hand_over<<<1, 64>>>(data, flag, out);
  finish();
  release(data, flag, out);
}

}  // namespace in_one_block

namespace partial_sum {

// The sum is read while others may still add to it.
template <bool kWaits>
__global__ void sum_block(int* out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  if (kWaits) __syncthreads();
  if (threadIdx.x == 0) {
    *out = *static_cast<volatile int*>(&sum);  // expect warning: fence-scope P22
  }
}

// The last block reads the sum, without a fence: its counter says nothing of the sum.
template <bool kFence>
__global__ void sum_blocks(int* sum, unsigned* done, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(sum, 1);
  if (kFence) __threadfence();
  if (atomicAdd(done, 1u) == gridDim.x - 1) {
    *out = *static_cast<volatile int*>(sum);  // expect warning: fence-scope P33
    *static_cast<volatile unsigned*>(done) = 0;
  }
}

template <bool kRight>
void run() {
  int *sum = zeros<int>(1), *out = zeros<int>(2);
  unsigned* done = zeros<unsigned>(1);
  sum_block<kRight><<<1, 64>>>(out);
  sum_blocks<kRight><<<4, 32>>>(sum, done, out + 1);
  finish();
  release(sum, out, done);
}

}  // namespace partial_sum

namespace lost_update {

// A counter is set while others may have begun to count.
template <bool kWaits>
__global__ void count(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) {
    *static_cast<volatile int*>(&counter) = 0;  // expect warning: fence-scope P22
  }
  if (kWaits) __syncthreads();
  atomicAdd(&counter, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = counter;
}

template <bool kWaits>
void run() {
  int* out = zeros<int>(1);
  count<kWaits><<<1, 64>>>(out);
  finish();
  release(out);
}

}  // namespace lost_update

namespace near_misses {

// Volatile looks at words that others change by atomics, where what was seen is only compared, is
// looked at again, or is handed to an atomic that notices an old value.
__global__ void looks(int* found, int* best, int* bits, unsigned* lock, int* out) {
  if (threadIdx.x != 0) return;
  const int mine = static_cast<int>(blockIdx.x * 7 % 5);
  // An early exit.
  if (mine == 3) atomicAdd(found, 1);
  if (*static_cast<volatile int*>(found) == 0) out[blockIdx.x] = 1;
  // A look before a maximum.
  if (*static_cast<volatile int*>(best) < mine) atomicMax(best, mine);
  // A loop around compare-and-swap.
  int old = *static_cast<volatile int*>(bits);
  int assumed = 0;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, assumed * 3 + mine);
  } while (old != assumed);
  // A lock that a volatile store gives back.
  while (atomicExch(lock, 1u) != 0) {
  }
  __threadfence();
  found[1] += 1;
  __threadfence();
  *static_cast<volatile unsigned*>(lock) = 0;
}

// A barrier of the grid, whose last block sets the counter back.
__global__ void meet(unsigned* count, unsigned* generation, int* data, int* out) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned old = *static_cast<volatile unsigned*>(generation);
    __threadfence();
    if (atomicAdd(count, 1u) == gridDim.x - 1) {
      *static_cast<volatile unsigned*>(count) = 0;
      __threadfence();
      atomicAdd(generation, 1u);
    } else {
      while (*static_cast<volatile unsigned*>(generation) == old) {
      }
    }
    __threadfence();
  }
  __syncthreads();
  const unsigned other = (blockIdx.x + 1) % gridDim.x;
  out[blockIdx.x * blockDim.x + threadIdx.x] = data[other * blockDim.x + threadIdx.x];
}

// Who has waited for a sum may read it.
__global__ void wait_for_all(unsigned* arrived, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(arrived, 1u);
  while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {
  }
  out[blockIdx.x] = static_cast<int>(*static_cast<volatile unsigned*>(arrived));
}

// A ticket lock.
__global__ void tickets(unsigned* next, unsigned* serving, int* total) {
  if (threadIdx.x != 0) return;
  const unsigned mine = atomicAdd(next, 1u);
  while (*static_cast<volatile unsigned*>(serving) != mine) {
  }
  __threadfence();
  *total += 1;
  __threadfence();
  *static_cast<volatile unsigned*>(serving) = mine + 1;
}

// Two blocks that keep each other out by flags and a turn (Peterson).
__global__ void turns(int* words, int* total) {
  if (threadIdx.x != 0) return;
  auto* const wants = static_cast<volatile int*>(words);
  auto* const turn = static_cast<volatile int*>(words + 2);
  const int me = static_cast<int>(blockIdx.x);
  for (int round = 0; round < 3; ++round) {
    wants[me] = 1;
    __threadfence();
    *turn = 1 - me;
    __threadfence();
    while (wants[1 - me] == 1 && *turn == 1 - me) {
    }
    __threadfence();
    *static_cast<volatile int*>(total) = *static_cast<volatile int*>(total) + 1;
    __threadfence();
    wants[me] = 0;
  }
}

// Atomics on both sides, and volatile words of the block under a fence of the block.
__global__ void atomics(int* sum, int* out) {
  __shared__ int word;
  if (threadIdx.x == 0) {
    *static_cast<volatile int*>(&word) = 1;
    __threadfence_block();
  }
  atomicAdd(sum, 1);
  __threadfence_block();
  if (threadIdx.x == 0) out[blockIdx.x] = atomicAdd(sum, 0);
}

void run() {
  int *found = zeros<int>(3), *best = zeros<int>(1), *bits = zeros<int>(1), *out = zeros<int>(128);
  int *data = zeros<int>(128), *total = zeros<int>(1), *turn = zeros<int>(3);
  unsigned *lock = zeros<unsigned>(1), *words = zeros<unsigned>(5);
  looks<<<8, 32>>>(found, best, bits, lock, out);
  meet<<<4, 32>>>(words, words + 1, data, out);
  wait_for_all<<<4, 32>>>(words + 4, out);
  tickets<<<4, 32>>>(words + 2, words + 3, total);
  turns<<<2, 32>>>(turn, total);
  atomics<<<4, 64>>>(total, out);
  finish();
  release(found, best, bits, out, data, total, turn, lock, words);
}

}  // namespace near_misses

void bug() {
  message::run<false>();
  barrier_between::run<false>();
  lock::run<false>(4);
  release_scope::run<true>();
  sequence_lock::run<false>();
  partial_sum::run<false>();
  lost_update::run<false>();
}

void clean() {
  message::run<true>();
  barrier_between::run<true>();
  lock::run<true>(4);
  lock::run<false>(1);
  release_scope::run<false>();
  sequence_lock::run<true>();
  in_one_block::run();
  partial_sum::run<true>();
  lost_update::run<true>();
  near_misses::run();
}
