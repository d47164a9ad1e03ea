#include "emulator/tests/checkers/tensor_copies.h"

// options: --card h200

// Of two boxes, one is announced: the phase ends when as many bytes have come, and a read of the
// other box, even by the thread that asked for it, is too early. A second phase announces it.
__global__ void load(const __grid_constant__ CUtensorMap map, float* out, bool too_early) {
  __shared__ Tile tiles[2];
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) {
    EXPECT(&full, sizeof(Tile));
    LOAD(&map, 0, 0, &tiles[0], &full);
    LOAD(&map, 0, 0, &tiles[1], &full);
  }
  WAIT_FOR(&full, 0);
  out[threadIdx.x] = float(tiles[0].a[0][0]);
  if (too_early && threadIdx.x == 0) {
    out[threadIdx.x] = float(tiles[1].a[0][0]);  // expect: async-copy-in-flight P80
  }
  __syncthreads();
  if (threadIdx.x == 0) EXPECT(&full, sizeof(Tile));
  WAIT_FOR(&full, 1);
  out[threadIdx.x] += float(tiles[1].a[0][0]);
}

void run(bool too_early) {
  auto* data = zeros<unsigned short>(64 * 64);
  auto* out = zeros<float>(128);
  load<<<1, 128>>>(map_of(data, CU_TENSOR_MAP_SWIZZLE_NONE), out, too_early);
  finish();
  release(data, out);
}

void bug() {
  run(true);
}
void clean() {
  run(false);
}
