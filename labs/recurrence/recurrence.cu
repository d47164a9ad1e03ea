#include "recurrence.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

// One step of the recurrence, or several in a row: x becomes a * x + b.
struct Map {
  unsigned a, b;
};

// TODO 1: the map that leaves every x as it is.

// First one step, then another: which single map is that?
__device__ Map combine(Map first, Map second) {
  // TODO 2: put first's result, first.a * x + first.b, into second.
  return first;
}

// Scans the maps of each block: afterwards thread t's map is that of the steps 0 to t of the block.
__global__ void scan_blocks(const unsigned* a, const unsigned* x, Map* maps, Map* totals, int n) {
  // TODO 3: a __shared__ array of maps. What does a thread without an element store?

  // TODO 4: an inclusive scan in log2(256) steps: combine with the map that is 1, 2, 4, ... places
  // on the left. Which one comes first? Where does the block have to wait, and how often per step?

  // TODO 5: store each thread's map, and the block's total.
}

// Computes x from the maps, once it is known what x is before the block.
__global__ void apply(const Map* maps, const Map* totals, unsigned* x, int n, unsigned start) {
  // TODO 6
}

void recurrence(const unsigned* a, unsigned* x, int n, unsigned start) {
  // a and x are in device memory already. x is read and overwritten: no thread may overwrite what
  // another still has to read.

  // TODO 7: launch scan_blocks, scan the totals of the blocks, launch apply. How do you scan more
  // totals than a block has threads? Free what you allocate.

  // TODO 8: once all cases pass: let the lanes of a warp hand their maps on by __shfl_up_sync, and
  // do without the array of all maps: what would a first kernel have to compute instead?
}
