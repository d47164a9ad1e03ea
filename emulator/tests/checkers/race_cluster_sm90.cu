#include <cooperative_groups.h>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

// What the cluster's barrier orders: shared memory of the cluster's blocks, and global memory.

namespace cg = cooperative_groups;

__device__ cg::cluster_group here() {
  return cg::this_cluster();
}

namespace not_written_yet {

// The neighbour's tile is read while the neighbour may still write it.
template <bool kSync>
__global__ void __cluster_dims__(2, 1, 1) exchange(int* b) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  tile[i] = int(blockIdx.x);
  if (kSync) {
    here().sync();
  } else {
    __syncthreads();  // of the block only
  }
  const int* there = here().map_shared_rank(tile, here().block_rank() ^ 1);
  b[blockIdx.x * 64 + i] = there[63 - i];  // expect: race-shared
  here().sync();
}

}  // namespace not_written_yet

namespace written_again {

// The tile is written for the next round while the neighbour may still read it.
template <bool kSync>
__global__ void __cluster_dims__(4, 1, 1) shift(int* b) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    tile[i] = round;
    here().sync();
    const int* there = here().map_shared_rank(tile, (here().block_rank() + 1) % 4);
    sum += there[i];  // expect: race-shared
    if (kSync) here().sync();
  }
  b[blockIdx.x * 32 + i] = sum;
  here().sync();
}

}  // namespace written_again

namespace two_writers {

// Both blocks write into the first one's tile.
template <bool kApart>
__global__ void __cluster_dims__(2, 1, 1) gather(int* b) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  const unsigned rank = here().block_rank();
  here().sync();
  int* first = here().map_shared_rank(tile, 0);
  first[kApart ? rank * 32 + i : i] = int(rank * 100 + i);  // expect: race-shared
  here().sync();
  if (rank == 0) b[i] = tile[i];
}

}  // namespace two_writers

namespace relaxed {

// An arrival that releases nothing lets nobody see what was written before.
template <bool kRelease>
__global__ void __cluster_dims__(2, 1, 1) exchange(int* b) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  tile[i] = int(i);
  if (kRelease) {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  } else {
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  }
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  const int* there = here().map_shared_rank(tile, here().block_rank() ^ 1);
  b[blockIdx.x * 32 + i] = there[i];  // expect: race-shared
  here().sync();
}

// With a fence before it, it does; and what was only read, is read.
__global__ void __cluster_dims__(2, 1, 1) fenced(int* b) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  tile[i] = int(i);
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  const int* there = here().map_shared_rank(tile, here().block_rank() ^ 1);
  b[blockIdx.x * 32 + i] = there[i];
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  tile[i] = 0;
}

}  // namespace relaxed

namespace in_between {

// What is written between arriving and waiting belongs to the next phase.
template <bool kBefore>
__global__ void __cluster_dims__(2, 1, 1) exchange(int* b) {
  __shared__ int tile[32];
  const unsigned i = threadIdx.x;
  if (kBefore) tile[i] = int(i);
  auto token = here().barrier_arrive();
  if (!kBefore) tile[i] = int(i);
  here().barrier_wait(std::move(token));
  const int* there = here().map_shared_rank(tile, here().block_rank() ^ 1);
  b[blockIdx.x * 32 + i] = there[i];  // expect: race-shared
  here().sync();
}

}  // namespace in_between

namespace in_one_block {

// Warps of one block, which use the cluster's barrier as theirs.
template <bool kSync>
__global__ void __cluster_dims__(2, 1, 1) turn(int* b) {
  __shared__ int tile[64];
  const unsigned i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    tile[i] = int(i) + round;
    here().sync();
    sum += tile[63 - i];  // expect: race-shared
    if (kSync || round != 2) here().sync();
  }
  b[blockIdx.x * 64 + i] = sum;
}

}  // namespace in_one_block

namespace alone {

// A launch without clusters: the cluster is the block, and its barrier one of the block. Threads
// that have ended are not waited for, and what they did is done.
template <bool kSync>
__global__ void turn(int* b) {
  __shared__ int tile[96];
  const unsigned i = threadIdx.x;
  tile[i] = int(i);
  if (i >= 64) return;
  if (kSync) here().sync();
  int sum = i < 32 ? 0 : tile[i - 32];  // expect: race-shared
  here().sync();
  tile[i] = sum;
  here().sync();
  sum += tile[63 - i] + tile[64 + i % 32];
  b[blockIdx.x * 64 + i] = sum;
}

}  // namespace alone

namespace in_global_memory {

// Through global memory, between the blocks of a cluster.
template <bool kSync>
__global__ void __cluster_dims__(2, 1, 1) exchange(int* a, int* b) {
  const unsigned i = threadIdx.x;
  a[blockIdx.x * 32 + i] = int(i);
  if (kSync) here().sync();
  b[blockIdx.x * 32 + i] = a[(blockIdx.x ^ 1) * 32 + i];  // expect: race-global
}

// The barrier is not one of the grid.
template <bool kInside>
__global__ void __cluster_dims__(2, 1, 1) others(int* a, int* b) {
  const unsigned i = threadIdx.x;
  a[blockIdx.x * 32 + i] = int(i);
  here().sync();
  const unsigned from = blockIdx.x ^ (kInside ? 1u : 2u);
  b[blockIdx.x * 32 + i] = a[from * 32 + i];  // expect: race-global
}

}  // namespace in_global_memory

namespace late {

// Nothing keeps a block there while another one reads its shared memory, whichever ends first.
template <bool kStay>
__global__ void __cluster_dims__(2, 1, 1) look(int* b) {
  __shared__ int box;
  if (threadIdx.x == 0) box = 1;
  here().sync();
  if (here().block_rank() == 1) {
    const int* there = here().map_shared_rank(&box, 0);
    b[threadIdx.x] = *there;  // expect: cluster-shared-after-exit
  } else if (!kStay) {
    for (int i = 0; i < 100; ++i) __nanosleep(100);
  }
  if (kStay) here().sync();
}

}  // namespace late

template <bool kRight>
void run() {
  int *a = zeros<int>(256), *b = zeros<int>(256);
  not_written_yet::exchange<kRight><<<4, 64>>>(b);
  written_again::shift<kRight><<<4, 32>>>(b);
  two_writers::gather<kRight><<<2, 32>>>(b);
  relaxed::exchange<kRight><<<2, 32>>>(b);
  relaxed::fenced<<<2, 32>>>(b);
  in_between::exchange<kRight><<<2, 32>>>(b);
  in_one_block::turn<kRight><<<2, 64>>>(b);
  alone::turn<kRight><<<4, 96>>>(b);
  in_global_memory::exchange<kRight><<<4, 32>>>(a, b);
  in_global_memory::others<kRight><<<4, 32>>>(a, b);
  late::look<kRight><<<2, 1>>>(b);
  finish();
  release(a, b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
