#include <cooperative_groups.h>

#include "emulator/tests/checkers/pair.h"

// options: --card h100

namespace cg = cooperative_groups;

// The last block asks for a rank behind its own.
__global__ void __cluster_dims__(2, 1, 1) next_rank(int* b, bool wrap) {
  __shared__ int box;
  const auto cluster = cg::this_cluster();
  box = int(cluster.block_rank());
  cluster.sync();
  const unsigned next = cluster.block_rank() + 1;
  const int* there = cluster.map_shared_rank(&box, wrap ? next % 2 : next);
  b[blockIdx.x] = *there;  // expect: oob-shared-read
  cluster.sync();
}

void run(bool right) {
  int* b = zeros<int>(2);
  next_rank<<<2, 1>>>(b, right);
  finish();
  release(b);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
