#include <mma.h>

#include "emulator/tests/checkers/pair.h"

// A fragment is stored as a whole, also where the matrix ends in the middle of the tile.
__global__ void store(float* c, int stride) {
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> tile;
  nvcuda::wmma::fill_fragment(tile, 1.0f);
  nvcuda::wmma::store_matrix_sync(  // expect: oob-global-write
      c, tile, unsigned(stride), nvcuda::wmma::mem_row_major);
}

void run(int stride) {
  auto* c = zeros<float>(16 * 16);
  store<<<1, 32>>>(c, stride);
  finish();
  release(c);
}

void bug() {
  run(20);
}
void clean() {
  run(16);
}
