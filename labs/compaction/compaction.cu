#include "compaction.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// How many values of each block are kept.
__global__ void count_kept(const int* values, int* block_counts, int n) {
  // TODO 1: a __shared__ array with a 1 for each value that is kept and a 0 for the others, and a
  // tree or a scan that adds them. What does a thread beyond n contribute?
}

// From counts to places: the number of values that are kept in all blocks before a block.
__global__ void scan_counts(int* block_counts, int blocks, int* count) {
  // TODO 2: an exclusive scan over the blocks' counts, of any number of blocks. Where is the total?
}

// Each thread computes its value's place, and stores it there.
__global__ void move(const int* values, const int* block_places, int* kept, int n) {
  // TODO 3: how many values are kept before this one, in the block and in the blocks before it?

  // TODO 4: where does a 0 belong? With i the value's index and p the number of kept values before
  // it, i - p values before it are not kept.
}

void compaction(const int* values, int* kept, int* count, int n) {
  // values, kept and count are in device memory already.

  // TODO 5: how many blocks cover n values? What has to happen for n = 0? Allocate the counts,
  // launch the three kernels, check the launches, and free what you have allocated.
}
