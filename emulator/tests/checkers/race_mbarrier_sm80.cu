#include <cuda_pipeline.h>

#include <cuda/barrier>
#include <utility>

#include "emulator/tests/checkers/pair.h"

// What mbarriers order, and asynchronous copies between barriers.

// init() makes them, as the manual has it.
#pragma nv_diag_suppress static_var_with_dynamic_init

using Barrier = cuda::barrier<cuda::thread_scope_block>;

namespace hand_over {

// One warp fills the tile, the other reads it once all have arrived.
template <bool kWait>
__global__ void reverse(const int* a, int* b) {
  __shared__ Barrier full;
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&full, blockDim.x);
  if (i < 32) tile[i] = 0;
  __syncthreads();
  if (i < 32) tile[i] = a[i];
  auto token = full.arrive();
  if (kWait) full.wait(std::move(token));
  if (i >= 32) b[i] = tile[63 - i];  // expect: race-shared
}

template <bool kWait>
void run() {
  int *a = zeros<int>(32), *b = zeros<int>(64);
  reverse<kWait><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace hand_over

namespace in_global_memory {

// The same through global memory.
template <bool kWait>
__global__ void reverse(int* a, int* b) {
  __shared__ Barrier full;
  const unsigned i = threadIdx.x;
  if (i == 0) init(&full, blockDim.x);
  __syncthreads();
  a[i] = static_cast<int>(i);
  auto token = full.arrive();
  if (kWait) full.wait(std::move(token));
  b[i] = a[63 - i];  // expect: race-global
}

template <bool kWait>
void run() {
  int *a = zeros<int>(64), *b = zeros<int>(64);
  reverse<kWait><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace in_global_memory

namespace rounds {

// The next round's copy into the tile must wait for those who still read it.
template <bool kBarrier>
__global__ void sum(const int* a, int* b) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  int total = 0;
  for (unsigned round = 0; round < 3; ++round) {
    __pipeline_memcpy_async(&tile[i], &a[round * 64 + i], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    total += tile[63 - i];  // expect: race-shared
    if (kBarrier) __syncthreads();
  }
  b[i] = total;
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(192), *b = zeros<int>(64);
  sum<kBarrier><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

}  // namespace rounds

void bug() {
  hand_over::run<false>();
  in_global_memory::run<false>();
  rounds::run<false>();
}
void clean() {
  hand_over::run<true>();
  in_global_memory::run<true>();
  rounds::run<true>();
}
