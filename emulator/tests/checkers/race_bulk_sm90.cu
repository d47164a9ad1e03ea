#include <cuda/ptx>

#include "emulator/tests/checkers/pair.h"

namespace ptx = cuda::ptx;

// One thread fetches tile after tile; nobody tells it that the others have read the last one.
template <bool kBarrier>
__global__ void sum(const int* a, int* b) {
  __shared__ alignas(16) int tile[64];
  __shared__ std::uint64_t full[2];  // of each round
  const unsigned i = threadIdx.x;
  if (i == 0) {
    ptx::mbarrier_init(&full[0], 1);
    ptx::mbarrier_init(&full[1], 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  int total = 0;
  for (unsigned round = 0; round < 2; ++round) {
    if (i == 0) {
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, a + round * 64, sizeof tile,
                         &full[round]);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                     &full[round], sizeof tile);
    }
    while (!ptx::mbarrier_try_wait_parity(&full[round], 0)) {
    }
    total += tile[63 - i];  // expect: race-shared
    __syncwarp();
    if (kBarrier) __syncthreads();
  }
  b[i] = total;
}

template <bool kBarrier>
void run() {
  int *a = zeros<int>(128), *b = zeros<int>(64);
  sum<kBarrier><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
