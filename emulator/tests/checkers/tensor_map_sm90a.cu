#include "emulator/tests/checkers/tensor_copies.h"

// options: --card h200

// A, with a swizzle of 128 bytes, times its own first 8 rows.
template <int kSwizzle>
__global__ void multiply(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Tile tiles;
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) {
    EXPECT(&full, sizeof tiles);
    LOAD(&map, 0, 0, &tiles, &full);
  }
  WAIT_FOR(&full, 0);
  const auto a = std::uint64_t{kSwizzle} << 62 | std::uint64_t{64} << 32 |
                 (shared_address(&tiles) & 0x3ffff) >> 4;
  float d[4] = {};
  FENCE();
  MULTIPLY(d, a, a);  // expect: matrix-descriptor P86
  COMMIT();
  WAIT();
  out[threadIdx.x] = d[0];
}

// The next box comes while the product still reads the one before.
template <bool kWaits>
__global__ void refill(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Tile tiles;
  __shared__ std::uint64_t full;
  begin(&full);
  float d[4] = {};
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      EXPECT(&full, sizeof tiles);
      LOAD(&map, 0, 0, &tiles, &full);  // expect: group-operand P79
    }
    WAIT_FOR(&full, round);
    const auto a =
        std::uint64_t{1} << 62 | std::uint64_t{64} << 32 | (shared_address(&tiles) & 0x3ffff) >> 4;
    FENCE();
    MULTIPLY(d, a, a);
    COMMIT();
    if (kWaits) WAIT();
    __syncthreads();
  }
  WAIT();
  out[threadIdx.x] = d[0];
}

// One lane of each warp says that the tile may be filled again: for all of its warp.
template <bool kWaits>
__global__ void hand_back(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Tile tiles;
  __shared__ std::uint64_t full, empty;
  begin(&empty, 4);
  begin(&full);
  float d[4] = {};
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      WAIT_FOR(&empty, round ^ 1);
      EXPECT(&full, sizeof tiles);
      LOAD(&map, 0, 0, &tiles, &full);  // expect: group-operand P79
    }
    __syncwarp();
    WAIT_FOR(&full, round);
    const auto a =
        std::uint64_t{1} << 62 | std::uint64_t{64} << 32 | (shared_address(&tiles) & 0x3ffff) >> 4;
    FENCE();
    MULTIPLY(d, a, a);
    COMMIT();
    if (kWaits) {
      WAIT();
    } else {
      __syncwarp();
    }
    if (threadIdx.x % 32 == 0) arrive(&empty);
  }
  WAIT();
  out[threadIdx.x] = d[0];
}

// Coordinates that are not multiples of 16 bytes: a card stops.
template <int kX>
__global__ void load_from(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ Tile tiles;
  __shared__ std::uint64_t full;
  begin(&full);
  if (threadIdx.x == 0) {
    EXPECT(&full, sizeof tiles);
    LOAD(&map, kX, 0, &tiles, &full);  // expect: tensor-map P86
  }
  WAIT_FOR(&full, 0);
  out[threadIdx.x] = float(tiles.a[0][0]);
}

template <bool kGood>
void run() {
  auto* data = zeros<unsigned short>(64 * 64);
  auto* out = zeros<float>(128);
  const CUtensorMap map = map_of(data, CU_TENSOR_MAP_SWIZZLE_128B);
  multiply<kGood ? 1 : 0><<<1, 128>>>(map, out);
  refill<kGood><<<1, 128>>>(map, out);
  hand_back<kGood><<<1, 128>>>(map, out);
  finish();
  release(data, out);
  data = zeros<unsigned short>(64 * 64);
  out = zeros<float>(128);
  const CUtensorMap again = map_of(data, CU_TENSOR_MAP_SWIZZLE_128B);
  load_from<kGood ? 8 : 3><<<1, 128>>>(again, out);
  finish();
  if (kGood) release(data, out);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
