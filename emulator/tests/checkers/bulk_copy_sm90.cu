#include <cuda/ptx>

#include "emulator/tests/checkers/pair.h"

namespace ptx = cuda::ptx;

// The buffer is filled again before the copy out of it has read it.
__global__ void send(int* b, bool wait) {
  __shared__ alignas(16) int tile[32];
  const unsigned i = threadIdx.x;
  for (int round = 0; round < 2; ++round) {
    tile[i] = round;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (i == 0) {
      const auto to = ptx::space_global;
      const auto from = ptx::space_shared;
      ptx::cp_async_bulk(to, from, b + 32 * round, tile, 128);  // expect: async-copy-source P79
      ptx::cp_async_bulk_commit_group();
      if (wait) ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    __syncwarp();
  }
  if (i == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Nobody waits for the copy, neither for its bytes nor before the block ends.
__global__ void receive(const int* a, int* b, bool wait) {
  __shared__ alignas(16) int tile[32];
  __shared__ std::uint64_t full;
  const unsigned i = threadIdx.x;
  if (i == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    const auto to = ptx::space_cluster;
    const auto from = ptx::space_global;
    ptx::cp_async_bulk(to, from, tile, a, 128, &full);  // expect warning: async-copy-after-exit P78
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   sizeof tile);
  }
  __syncthreads();
  while (wait && !ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  b[i] = tile[i];  // expect: async-copy-in-flight P78
}

void run(bool wait) {
  int *a = zeros<int>(32), *b = zeros<int>(64);
  send<<<1, 32>>>(b, wait);
  receive<<<1, 32>>>(a, b, wait);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
