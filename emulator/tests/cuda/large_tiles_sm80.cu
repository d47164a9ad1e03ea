#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "emulator/tests/support/program.h"

// Cooperative groups of several warps: their barriers live in the shared memory that the system
// keeps for itself.

namespace cg = cooperative_groups;

namespace {

template <unsigned Size>
__global__ void tiles_of_warps(const int* in, int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int cells[256];
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned i = block.thread_rank();
  // Tiles do different work between their own barriers.
  int x = in[i];
  for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
    cells[i] = x;
    tile.sync();
    const unsigned next = (tile.thread_rank() + 1) % tile.num_threads();
    x = cells[tile.meta_group_rank() * Size + next] * 3 + int(round);
    tile.sync();
  }
  const int sum = cg::reduce(tile, x % 1000, cg::plus<int>());
  out[i] = sum * 2 + int(tile.any(x == 7));
}

template <unsigned Size>
void run_tiles(const std::vector<int>& values) {
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(values.size());
  tiles_of_warps<Size><<<1, 256>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (unsigned first = 0; first < 256; first += Size) {
    std::vector<int> x(values.begin() + first, values.begin() + first + Size);
    for (unsigned round = 0; round <= first / Size; ++round) {
      const std::vector<int> old = x;
      for (unsigned i = 0; i < Size; ++i) x[i] = old[(i + 1) % Size] * 3 + int(round);
    }
    int sum = 0, any = 0;
    for (const int value : x) {
      sum += value % 1000;
      any |= value == 7;
    }
    want.insert(want.end(), Size, sum * 2 + any);
  }
  testing::expect_equal(out.download(), want);
}

void run() {
  const std::vector<int> values = testing::random_integers(256, 1000);
  run_tiles<64>(values);
  run_tiles<128>(values);
  run_tiles<256>(values);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
