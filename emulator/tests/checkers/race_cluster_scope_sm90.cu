#include <cooperative_groups.h>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

// Atomics and fences whose scope is the block, the cluster or the device.

namespace cg = cooperative_groups;

__device__ cg::cluster_group here() {
  return cg::this_cluster();
}

__device__ unsigned address_in_cluster(const int* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

namespace counters {

// Both blocks count in the first one's shared memory.
template <bool kCluster>
__global__ void __cluster_dims__(2, 1, 1) count(int* b) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  here().sync();
  int* there = here().map_shared_rank(&counter, 0);
  if (kCluster) {
    asm volatile(
        "red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(address_in_cluster(there))
        : "memory");
  } else {
    atomicAdd_block(there, 1);  // expect: race-shared
  }
  atomicAdd(there, 1);
  here().sync();
  if (here().block_rank() == 0) b[threadIdx.x] = counter;
}

// A plain read beside the others' atomics.
template <bool kSync>
__global__ void __cluster_dims__(2, 1, 1) look(int* b) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  here().sync();
  if (here().block_rank() == 1) atomicAdd(here().map_shared_rank(&counter, 0), 1);
  if (kSync) here().sync();
  if (here().block_rank() == 0 && threadIdx.x == 0) b[0] = counter;  // expect: race-shared
  here().sync();
}

}  // namespace counters

namespace flags {

// A message and a flag in another block's shared memory, with a fence that reaches it or not.
template <bool kCluster>
__global__ void __cluster_dims__(2, 1, 1) pass(int* b) {
  __shared__ int message, flag;
  flag = 0;
  here().sync();
  if (here().block_rank() == 0) {
    *here().map_shared_rank(&message, 1) = 7;
    if (kCluster) {
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
    } else {
      __threadfence_block();
    }
    atomicExch(here().map_shared_rank(&flag, 1), 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) {
    }
    b[0] = message;  // expect: race-shared
  }
  here().sync();
}

// The same by release and acquire.
template <bool kCluster>
__global__ void __cluster_dims__(2, 1, 1) publish(int* b) {
  __shared__ int message, flag;
  flag = 0;
  here().sync();
  if (here().block_rank() == 0) {
    *here().map_shared_rank(&message, 1) = 7;
    const unsigned there = address_in_cluster(here().map_shared_rank(&flag, 1));
    if (kCluster) {
      asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(there) : "memory");
    } else {
      asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(there) : "memory");
    }
  } else {
    int seen = 0;
    while (seen == 0) {
      asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                   : "=r"(seen)
                   : "r"(address_in_cluster(&flag))
                   : "memory");
    }
    b[0] = message;  // expect: race-shared
  }
  here().sync();
}

}  // namespace flags

namespace global_memory {

__device__ void count_in_cluster(int* counter) {
  asm volatile("red.relaxed.cluster.global.add.u32 [%0], 1;" ::"l"(counter)  // expect: race-global
               : "memory");
}

// A counter of each cluster, or one for two of them.
template <bool kEach>
__global__ void __cluster_dims__(2, 1, 1) count(int* counters) {
  count_in_cluster(&counters[kEach ? blockIdx.x / 2 : 0]);
}

// A fence for the cluster does not reach the next one.
template <bool kDevice>
__global__ void __cluster_dims__(2, 1, 1) pass(int* message, int* flag, int* b) {
  if (blockIdx.x == 0) {
    *message = 7;
    if (kDevice) {
      __threadfence();
    } else {
      asm volatile("fence.acq_rel.cluster;" ::: "memory");
    }
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    if (blockIdx.x == 1) b[1] = *message;
    if (blockIdx.x == 2) b[2] = *message;  // expect: race-global
  }
}

}  // namespace global_memory

template <bool kRight>
void run() {
  int *a = zeros<int>(8), *b = zeros<int>(64);
  counters::count<kRight><<<2, 32>>>(b);
  counters::look<kRight><<<2, 32>>>(b);
  flags::pass<kRight><<<2, 1>>>(b);
  flags::publish<kRight><<<2, 1>>>(b);
  global_memory::count<kRight><<<4, 32>>>(a);
  global_memory::pass<kRight><<<4, 1>>>(a + 4, a + 5, b);
  finish();
  release(a, b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
