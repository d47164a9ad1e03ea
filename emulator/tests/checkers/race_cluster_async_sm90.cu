#include <cooperative_groups.h>

#include <cuda/ptx>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

// mbarriers of another block of the cluster, and copies into its shared memory.

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

using Word = std::uint64_t;

__device__ cg::cluster_group here() {
  return cg::this_cluster();
}

__device__ void wait(Word* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// Arrives at the same barrier of another block.
__device__ void arrive_at(Word* barrier, unsigned rank) {
  Word* there = here().map_shared_rank(barrier, rank);
  ptx::mbarrier_arrive(  // expect: cluster-shared-after-exit
      ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, there);
}

// The same without a scope, which means the own block.
__device__ void arrive_at_for_block(Word* barrier, unsigned rank) {
  const Word* there = here().map_shared_rank(barrier, rank);
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(there)))
               : "memory");
}

// One thread of each block makes its barriers, and all wait for that.
template <int kCount>
__device__ void start(Word (&barriers)[kCount], unsigned arrivals) {
  if (threadIdx.x == 0) {
    for (Word& barrier : barriers) ptx::mbarrier_init(&barrier, arrivals);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  here().sync();
}

namespace hand_over {

// Block 0 fills the tile of block 1 and arrives at its barrier; that must reach block 1, by its
// scope or by a fence.
template <bool kScope, bool kFence>
__global__ void __cluster_dims__(2, 1, 1) push(int* b) {
  __shared__ int tile[32];
  __shared__ Word full[1];
  const unsigned i = threadIdx.x;
  start(full, 32);
  if (here().block_rank() == 0) {
    here().map_shared_rank(tile, 1)[i] = int(i);
    if (kScope) {
      arrive_at(full, 1);
    } else {
      if (kFence) asm volatile("fence.acq_rel.cluster;" ::: "memory");
      arrive_at_for_block(full, 1);
    }
  } else {
    wait(full, 0);
    b[i] = tile[31 - i];  // expect: race-shared
  }
  here().sync();
}

}  // namespace hand_over

namespace buffers {

// Block 0 fills the tile of block 1 in rounds. That it has been read, block 1 says by arriving at
// a barrier of block 0; who has only read may leave out the scope.
template <bool kWait>
__global__ void __cluster_dims__(2, 1, 1) stream(int* b) {
  __shared__ int tile[32];
  __shared__ Word barriers[2];
  Word* full = &barriers[0];
  Word* empty = &barriers[1];
  const unsigned i = threadIdx.x;
  start(barriers, 32);
  int sum = 0;
  for (unsigned round = 0; round < 4; ++round) {
    if (here().block_rank() == 0) {
      if (kWait && round > 0) wait(empty, (round - 1) % 2);
      here().map_shared_rank(tile, 1)[i] = int(i + round);
      if (!kWait && round > 0) wait(empty, (round - 1) % 2);
      arrive_at(full, 1);
    } else {
      wait(full, round % 2);
      sum += tile[31 - i];  // expect: race-shared
      arrive_at_for_block(empty, 0);
    }
  }
  b[blockIdx.x * 32 + i] = sum;
  here().sync();
}

}  // namespace buffers

namespace bulk {

// The copy engine fills the neighbour's tile, again and again.
template <bool kWait>
__global__ void __cluster_dims__(2, 1, 1) stream(int* b) {
  __shared__ alignas(16) int source[32], tile[32];
  __shared__ Word full[1];
  const unsigned i = threadIdx.x;
  const unsigned other = here().block_rank() ^ 1;
  source[i] = int(i);
  ptx::fence_proxy_async(ptx::space_shared);
  start(full, 1);
  int sum = 0;
  for (unsigned round = 0; round < 3; ++round) {
    if (i == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                     sizeof tile);
      int* to = here().map_shared_rank(tile, other);
      Word* done = here().map_shared_rank(full, other);
      ptx::cp_async_bulk(  // expect: async-copy-overwritten P79
          ptx::space_cluster, ptx::space_shared, to, source, sizeof tile, done);
    }
    wait(full, round % 2);
    sum += tile[31 - i];  // expect: race-shared
    if (kWait) {
      here().sync();
    } else {
      __syncthreads();
    }
  }
  b[blockIdx.x * 32 + i] = sum;
  here().sync();
}

}  // namespace bulk

namespace multicast {

// To the same place in both blocks. The header has it for sm_90a only.
__device__ void fetch_for_both(int (&tile)[32], const int* from, Word* full) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1], %2, [%3], %4;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(tile))),
      "l"(__cvta_generic_to_global(from)), "n"(sizeof tile),
      "r"(static_cast<unsigned>(__cvta_generic_to_shared(full))),
      "h"(std::uint16_t(3))  // expect: async-copy-overwritten P79
      : "memory");
}

// One copy for both blocks, into tiles that both have to have read before the next one.
template <bool kWait>
__global__ void __cluster_dims__(2, 1, 1) sum(const int* a, int* b) {
  __shared__ alignas(16) int tile[32];
  __shared__ Word barriers[3];
  Word* full = &barriers[0];  // of each round
  Word* empty = &barriers[2];
  const unsigned i = threadIdx.x;
  start(barriers, 1);
  int sum = 0;
  for (unsigned round = 0; round < 2; ++round) {
    if (i == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     &full[round], sizeof tile);
      if (here().block_rank() == 0) {
        if (kWait && round > 0) wait(empty, 0);
        fetch_for_both(tile, a + round * 32, &full[round]);
      }
    }
    wait(&full[round], 0);
    sum += tile[31 - i];  // expect: race-shared
    __syncthreads();
    if (i == 0 && here().block_rank() == 1 && round == 0) arrive_at(empty, 0);
  }
  b[blockIdx.x * 32 + i] = sum;
  here().sync();
}

}  // namespace multicast

namespace completion {

// A copy says that its own bytes are there, and nothing of what its thread stored before.
template <bool kSame>
__global__ void __cluster_dims__(2, 1, 1) message(int* b) {
  __shared__ alignas(16) int source[32], tile[32];
  __shared__ int length;
  __shared__ Word full[1];
  const unsigned i = threadIdx.x;
  source[i] = int(i);
  ptx::fence_proxy_async(ptx::space_shared);
  start(full, 1);
  if (here().block_rank() == 0) {
    if (i == 0) {
      int* there = here().map_shared_rank(&length, 1);
      if (kSame) {
        ptx::st_async(there, 32, here().map_shared_rank(full, 1));
      } else {
        *there = 32;
      }
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, here().map_shared_rank(tile, 1),
                         source, sizeof tile, here().map_shared_rank(full, 1));
    }
  } else {
    if (i == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full,
                                     sizeof tile + (kSame ? sizeof length : 0));
    }
    wait(full, 0);
    b[i] = tile[31 - i] + length;  // expect: race-shared
  }
  here().sync();
}

}  // namespace completion

namespace late {

// Arriving at the barrier of a block that may have ended.
template <bool kWait>
__global__ void __cluster_dims__(2, 1, 1) last_word(int* b) {
  __shared__ Word full[1];
  start(full, 1);
  if (here().block_rank() == 0) {
    if (kWait) wait(full, 0);
    for (int i = 0; i < 100; ++i) __nanosleep(100);
    b[0] = 1;
  } else {
    arrive_at(full, 0);
  }
}

}  // namespace late

template <bool kRight>
void run() {
  int *a = zeros<int>(96), *b = zeros<int>(64);
  hand_over::push<kRight, false><<<2, 32>>>(b);
  hand_over::push<false, true><<<2, 32>>>(b);
  buffers::stream<kRight><<<2, 32>>>(b);
  bulk::stream<kRight><<<2, 32>>>(b);
  multicast::sum<kRight><<<2, 32>>>(a, b);
  completion::message<kRight><<<2, 32>>>(b);
  late::last_word<kRight><<<2, 1>>>(b);
  finish();
  release(a, b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
