#include <cooperative_groups.h>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

namespace cg = cooperative_groups;

__device__ unsigned shared_address(const int* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// cp.async copies into the own block only, whatever way its address came.
__global__ void __cluster_dims__(2, 1, 1) fetch(const int* a, int* b, bool own) {
  __shared__ int tile[32];
  const auto cluster = cg::this_cluster();
  const unsigned i = threadIdx.x;
  // An own place by the cluster's address, and an ordinary store and an atomic to it.
  const unsigned mine = shared_address(&cluster.map_shared_rank(tile, cluster.block_rank())[i]);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(mine), "r"(i) : "memory");
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(mine), "r"(i) : "memory");
  int sum = tile[i];
  cluster.sync();
  const unsigned rank = own ? cluster.block_rank() : cluster.block_rank() ^ 1;
  const unsigned to = shared_address(&cluster.map_shared_rank(tile, rank)[i]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(a + i)  // expect: oob-shared-write
               : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  sum += tile[i];
  b[blockIdx.x * 32 + i] = sum;
  cluster.sync();
}

void run(bool own) {
  int *a = zeros<int>(32), *b = zeros<int>(64);
  fetch<<<2, 32>>>(a, b, own);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
