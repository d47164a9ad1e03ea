#include <cuda/ptx>

#include "emulator/tests/checkers/pair.h"

namespace ptx = cuda::ptx;

// The last tile has as many elements as are left, and not a multiple of 16 bytes.
__global__ void copy_rest(const int* a, int* b, int n, int copied) {
  __shared__ alignas(16) int tile[32];
  __shared__ std::uint64_t full;
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    const auto to = ptx::space_cluster;
    const auto from = ptx::space_global;
    const auto bytes = static_cast<std::uint32_t>(copied * sizeof(int));
    ptx::cp_async_bulk(to, from, tile, a, bytes, &full);  // expect: misaligned-bulk-copy P83
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                   bytes);
  }
  if (i >= copied && i < n) tile[i] = a[i];
  __syncthreads();
  while (!ptx::mbarrier_try_wait_parity(&full, 0)) {
  }
  if (i < n) b[i] = tile[i];
}

void run(int copied) {
  const int n = 21;
  int *a = zeros<int>(n), *b = zeros<int>(n);
  copy_rest<<<1, 32>>>(a, b, n, copied);
  finish();
  if (copied % 4 == 0) release(a, b);
}

void bug() {
  run(21);
}
void clean() {
  run(20);
}
