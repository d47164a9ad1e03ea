#include "emulator/tests/checkers/pair.h"

// Sums handed on from block to block, with more blocks than the card holds.
// options: --card t4
constexpr unsigned kBlocks = 60;
constexpr unsigned kDynamic = 48 << 10;  // one block a multiprocessor: the card holds 40

namespace chain {

// The block before may not have started, unless numbers are drawn when blocks start.
template <bool kDraws>
__global__ void hand_on(const int* values, unsigned* counter, int* sums, unsigned* flags) {
  extern __shared__ int tile[];
  if (threadIdx.x != 0) return;
  tile[0] = kDraws ? int(atomicAdd(counter, 1u)) : int(blockIdx.x);
  const int number = tile[0];
  int sum = values[number];
  if (number > 0) {
    volatile unsigned* before = &flags[number - 1];
    while (*before == 0) {  // expect warning: block-order P31
    }
    __threadfence();
    sum += *const_cast<volatile int*>(&sums[number - 1]);
  }
  *const_cast<volatile int*>(&sums[number]) = sum;
  __threadfence();
  *const_cast<volatile unsigned*>(&flags[number]) = 1;
}

template <bool kDraws>
void run(unsigned blocks) {
  int *values = zeros<int>(blocks), *sums = zeros<int>(blocks);
  unsigned *counter = zeros<unsigned>(1), *flags = zeros<unsigned>(blocks);
  hand_on<kDraws><<<blocks, 32, kDynamic>>>(values, counter, sums, flags);
  finish();
  release(values, sums, counter, flags);
}

}  // namespace chain

namespace atomic_reads {

// The same with atomics that add nothing.
__global__ void hand_on(int* sums, unsigned* flags) {
  extern __shared__ int tile[];
  if (threadIdx.x != 0) return;
  tile[0] = 1;
  if (blockIdx.x > 0) {
    while (atomicAdd(&flags[blockIdx.x - 1], 0u) == 0) {  // expect warning: block-order P31
    }
    __threadfence();
    tile[0] += sums[blockIdx.x - 1];
  }
  sums[blockIdx.x] = tile[0];
  __threadfence();
  atomicExch(&flags[blockIdx.x], 1u);
}

void run(unsigned blocks) {
  int* sums = zeros<int>(blocks);
  unsigned* flags = zeros<unsigned>(blocks);
  hand_on<<<blocks, 32, kDynamic>>>(sums, flags);
  finish();
  release(sums, flags);
}

}  // namespace atomic_reads

namespace lock {

// Whoever holds a lock runs. A look at it before each try waits for no other block.
__global__ void count(unsigned* lock, int* total) {
  extern __shared__ int tile[];
  if (threadIdx.x != 0) return;
  tile[0] = 1;
  for (bool done = false; !done;) {
    while (*static_cast<volatile unsigned*>(lock) != 0) {
    }
    if (atomicCAS(lock, 0u, 1u) == 0u) {
      __threadfence();
      *const_cast<volatile int*>(total) = *const_cast<volatile int*>(total) + tile[0];
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  }
}

void run() {
  unsigned* lock = zeros<unsigned>(1);
  int* total = zeros<int>(1);
  count<<<kBlocks, 32, kDynamic>>>(lock, total);
  finish();
  release(lock, total);
}

}  // namespace lock

namespace one_waits {

// One block waits for all others: they find room beside it, in whatever order they start.
__global__ void collect(unsigned* arrived, int* out) {
  extern __shared__ int tile[];
  if (threadIdx.x != 0) return;
  tile[0] = 1;
  if (blockIdx.x == gridDim.x - 1) {
    while (*static_cast<volatile unsigned*>(arrived) < gridDim.x - 1) {
    }
    *out = tile[0];
  } else {
    atomicAdd(arrived, 1u);
  }
}

void run() {
  unsigned* arrived = zeros<unsigned>(1);
  int* out = zeros<int>(1);
  collect<<<kBlocks, 32, kDynamic>>>(arrived, out);
  finish();
  release(arrived, out);
}

}  // namespace one_waits

void bug() {
  chain::run<false>(kBlocks);
  atomic_reads::run(kBlocks);
}
void clean() {
  chain::run<true>(kBlocks);
  chain::run<false>(40);
  atomic_reads::run(40);
  lock::run();
  one_waits::run();
}
