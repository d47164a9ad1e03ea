#include "sort.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// How many keys of each block have a 0 in one bit.
__global__ void count_zeros(const unsigned* keys, int* block_zeros, int n, int bit) {
  // TODO 1: __ballot_sync and __popc count the flags of a warp. What does a thread beyond n
  // contribute?
}

// From counts to places: the number of keys with a 0 in all blocks before a block, and in all
// blocks.
__global__ void scan_counts(int* block_zeros, int blocks, int* all_zeros) {
  // TODO 2: an exclusive scan, of any number of blocks.
}

// Keys with a 0 to the front, those with a 1 after them, each group in its order.
__global__ void split(const unsigned* from, unsigned* to, const int* block_places,
                      const int* all_zeros, int n, int bit) {
  // TODO 3: z zeros come before this key, so i - z ones do. Where does it go if its bit is 0, and
  // where if it is 1?
}

void sort(const unsigned* keys, unsigned* sorted, int n) {
  // keys and sorted are in device memory already.

  // TODO 4: one split per bit. From the lowest bit to the highest, or the other way round?

  // TODO 5: a split needs two arrays, and `keys` must not be changed. In which one is the result
  // after the last split? Check the launches, and free what you have allocated.

  // TODO 6: once all cases pass: fewer passes with more bits each. README.md has the steps.
}
