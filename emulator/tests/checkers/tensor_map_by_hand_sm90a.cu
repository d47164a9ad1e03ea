#include "emulator/tests/checkers/tensor_copies.h"

// options: --card h200

// The map's bytes do not come from the driver: the result of the encoding was not looked at.
__global__ void load(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Tile tile;
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) {
    EXPECT(&full, sizeof tile);
    LOAD(&map, 0, 0, &tile, &full);  // expect: tensor-map P86
  }
  WAIT_FOR(&full, 0);
  out[threadIdx.x] = float(tile.a[0][0]);
}

void run(bool encodes) {
  auto* data = zeros<unsigned short>(64 * 64);
  auto* out = zeros<float>(128);
  const auto map = encodes ? map_of(data, CU_TENSOR_MAP_SWIZZLE_NONE) : CUtensorMap{};
  load<<<1, 128>>>(map, out);
  finish();
  if (encodes) release(data, out);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
