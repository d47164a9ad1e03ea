#include <cooperative_groups.h>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

namespace cg = cooperative_groups;

// A block may have ended while the other one still reads its shared memory.
__global__ void __cluster_dims__(2, 1, 1) swap(int* b, bool stay) {
  __shared__ int box;
  const auto cluster = cg::this_cluster();
  box = int(cluster.block_rank());
  cluster.sync();
  const int* there = cluster.map_shared_rank(&box, 1 - cluster.block_rank());
  b[blockIdx.x] = *there;  // expect: cluster-shared-after-exit
  if (stay) cluster.sync();
}

void run(bool right) {
  int* b = zeros<int>(2);
  swap<<<2, 1>>>(b, right);
  finish();
  release(b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
