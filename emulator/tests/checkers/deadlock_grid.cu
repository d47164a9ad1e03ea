#include "emulator/tests/checkers/pair.h"

// A barrier for all blocks, written by hand: more blocks than the card holds never meet.
__global__ void meet(unsigned* arrived, int* out) {
  extern __shared__ int tile[];
  if (threadIdx.x == 0) {
    tile[0] = int(blockIdx.x);
    atomicAdd(arrived, 1u);
    while (*static_cast<volatile unsigned*>(arrived) < gridDim.x) {
    }
    out[blockIdx.x] = tile[0];
  }
  __syncthreads();
}

// expect anywhere: deadlock
// options: --card t4
void run(unsigned blocks) {
  unsigned* arrived = zeros<unsigned>(1);
  int* out = zeros<int>(60);
  meet<<<blocks, 64, 48 << 10>>>(arrived, out);
  finish();
  release(arrived, out);
}

void bug() {
  run(60);
}
void clean() {
  run(30);
}
