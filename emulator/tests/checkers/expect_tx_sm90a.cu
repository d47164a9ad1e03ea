#include "emulator/tests/checkers/tensor_copies.h"

// options: --card h200

// Of two boxes, not all is announced: a phase completes early or, as here, never. That one lane
// waits for it, and the others for that lane, does not hide the reason.
__global__ void load(const __grid_constant__ CUtensorMap map, float* out, int announced) {
  __shared__ Tile tiles[2];
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) {
    EXPECT(&full, announced);
    LOAD(&map, 0, 0, &tiles[0], &full);
    LOAD(&map, 0, 32, &tiles[1], &full);  // half of it is beyond the border, and counts as well
    WAIT_FOR(&full, 0);  // expect: mbarrier-deadlock P80
  }
  __syncwarp();
  out[threadIdx.x] = float(tiles[0].a[0][0] + tiles[1].a[0][0]);
}

void run(std::size_t announced) {
  auto* data = zeros<unsigned short>(64 * 64);
  auto* out = zeros<float>(128);
  load<<<1, 32>>>(map_of(data, CU_TENSOR_MAP_SWIZZLE_NONE), out, int(announced));
  finish();
  if (announced == 2 * sizeof(Tile)) release(data, out);
}

void bug() {
  run(sizeof(Tile) + sizeof(Tile) / 2);
}
void clean() {
  run(2 * sizeof(Tile));
}
