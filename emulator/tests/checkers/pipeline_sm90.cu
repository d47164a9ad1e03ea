#include <cuda/ptx>

#include "emulator/tests/checkers/pair.h"

// options: --card h200

namespace ptx = cuda::ptx;

// One thread fetches tile after tile into two stages by bulk copies, a warp adds them, and says
// that a stage is empty: after it has read it, or before.

constexpr int kTile = 32;
constexpr int kStages = 2;
constexpr int kSteps = 6;

__device__ void wait_for(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_test_wait_parity(barrier, parity)) {
  }
}

template <bool kReadsFirst>
__global__ void add(const int* a, int* b) {
  __shared__ alignas(16) int tiles[kStages][kTile];
  __shared__ std::uint64_t full[kStages], empty[kStages];
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int s = 0; s < kStages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 32);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (threadIdx.x >= 32) {
    if (lane != 0) return;
    for (unsigned step = 0; step < kSteps; ++step) {
      const unsigned s = step % kStages;
      wait_for(&empty[s], (step / kStages + 1) % 2);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[s],
                                     sizeof tiles[s]);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tiles[s], a + step * kTile,
                         sizeof tiles[s], &full[s]);
    }
    return;
  }
  int sum = 0;
  for (unsigned step = 0; step < kSteps; ++step) {
    const unsigned s = step % kStages;
    wait_for(&full[s], step / kStages % 2);
    if (!kReadsFirst) ptx::mbarrier_arrive(&empty[s]);
    sum += tiles[s][31 - lane];  // expect: race-shared
    if (kReadsFirst) ptx::mbarrier_arrive(&empty[s]);
  }
  b[lane] = sum;
}

template <bool kReadsFirst>
void run() {
  int *a = zeros<int>(kSteps * kTile), *b = zeros<int>(kTile);
  add<kReadsFirst><<<1, 64>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
