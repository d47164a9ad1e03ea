#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <algorithm>

#include "emulator/tests/support/program.h"

// Cooperative groups: tiles of a warp, coalesced threads, the block, and the whole grid.

namespace cg = cooperative_groups;

namespace {

template <unsigned Size>
__global__ void tile_sums(const int* in, int* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int x = in[threadIdx.x];
  for (unsigned by = Size / 2; by > 0; by /= 2) x += tile.shfl_down(x, by);
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = x;
}

/// A type without the tile's parent.
__device__ int exchanged(cg::thread_block_tile<8> tile, int x) {
  return tile.shfl_xor(x, 3);
}

__global__ void tile_votes(const int* in, int* out) {
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int x = in[threadIdx.x];
  out[threadIdx.x] = int(tile.ballot(x % 2 == 0)) + 1000 * int(tile.any(x == 5)) +
                     10000 * int(tile.all(x < 90)) +
                     100000 * exchanged(cg::tiled_partition<8>(cg::this_thread_block()), x);
}

__global__ void reduced_and_scanned(const int* in, int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int x = in[threadIdx.x];
  const int sum = cg::reduce(warp, x, cg::plus<int>());
  const int largest = cg::reduce(warp, x, cg::greater<int>());
  out[threadIdx.x] = sum * 1000 + largest + 1000000 * (cg::inclusive_scan(warp, x) % 7);
}

/// One atomic for all threads of a warp that are in the branch.
__device__ int aggregated_increment(int* counter) {
  const auto active = cg::coalesced_threads();
  int base = 0;
  if (active.thread_rank() == 0) base = atomicAdd(counter, int(active.size()));
  return active.shfl(base, 0) + int(active.thread_rank());
}

__global__ void filter(const int* in, int* out, int* counter, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && in[i] % 3 == 0) out[aggregated_increment(counter)] = in[i];
}

__global__ void block_rounds(int* out) {
  __shared__ int cells[128];
  const auto block = cg::this_thread_block();
  cells[block.thread_rank()] = int(block.thread_rank());
  for (int round = 0; round < 5; ++round) {
    block.sync();
    const int next = cells[(block.thread_rank() + 1) % block.size()] + round;
    block.sync();
    cells[block.thread_rank()] = next;
  }
  out[block.thread_rank()] = cells[block.thread_rank()];
}

/// Every block reads what all the others wrote in the round before.
__global__ void grid_rounds(int* cells, int* next, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const int n = int(grid.size()), i = int(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    next[i] = cells[(i + n / 2) % n] + cells[(i + 1) % n] % 1000 + round;
    grid.sync();
    cells[i] = next[i];
    grid.sync();
  }
}

void tiles() {
  const std::vector<int> values = testing::random_integers(64, 100);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(64);
  const auto sums = [&](std::size_t size) {
    FINISH_LAUNCH();
    std::vector<int> want, got = out.download();
    for (std::size_t i = 0; i < 64; ++i) {
      if (i % size == 0) want.push_back(0);
      want.back() += values[i];
    }
    got.resize(want.size());
    testing::expect_equal(got, want);
  };
  out.fill_bytes(0);
  tile_sums<32><<<1, 64>>>(in.get(), out.get());
  sums(32);
  tile_sums<16><<<1, 64>>>(in.get(), out.get());
  sums(16);
  tile_sums<4><<<1, 64>>>(in.get(), out.get());
  sums(4);

  tile_votes<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (std::size_t i = 0; i < 64; ++i) {
    int ballot = 0, any = 0, all = 1;
    for (std::size_t j = 0; j < 8; ++j) {
      const int x = values[i / 8 * 8 + j];
      ballot |= (x % 2 == 0) << j;
      any |= x == 5;
      all &= x < 90;
    }
    want.push_back(ballot + 1000 * any + 10000 * all + 100000 * values[i ^ 3]);
  }
  testing::expect_equal(out.download(), want);

  reduced_and_scanned<<<1, 64>>>(in.get(), out.get());
  FINISH_LAUNCH();
  want.clear();
  for (std::size_t i = 0; i < 64; ++i) {
    int sum = 0, largest = 0, before = 0;
    for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
      sum += values[j];
      largest = std::max(largest, values[j]);
      before += j <= i ? values[j] : 0;
    }
    want.push_back(sum * 1000 + largest + 1000000 * (before % 7));
  }
  testing::expect_equal(out.download(), want);
}

void coalesced() {
  const std::vector<int> values = testing::random_integers(1000, 1000);
  const testing::Buffer<int> in(values);
  testing::Buffer<int> out(1000), counter(1);
  counter.fill_bytes(0);
  out.fill_bytes(0);
  filter<<<4, 256>>>(in.get(), out.get(), counter.get(), 1000);
  FINISH_LAUNCH();
  std::vector<int> want, got = out.download();
  for (const int x : values) {
    if (x % 3 == 0) want.push_back(x);
  }
  EXPECT(counter.download()[0] == int(want.size()));
  got.resize(want.size());
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());
  testing::expect_equal(got, want);
}

void block() {
  testing::Buffer<int> out(128);
  block_rounds<<<1, 128>>>(out.get());
  FINISH_LAUNCH();
  std::vector<int> want;
  for (int i = 0; i < 128; ++i) want.push_back((i + 5) % 128 + 10);
  testing::expect_equal(out.download(), want);
}

void grid() {
  int supported = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  EXPECT(supported == 1);
  constexpr int kBlocks = 12, kThreads = 64, kCount = kBlocks * kThreads;
  std::vector<int> want = testing::random_integers(kCount, 1000);
  testing::Buffer<int> cells(want), next(kCount);
  int *from = cells.get(), *to = next.get(), rounds = 4;
  void* arguments[] = {&from, &to, &rounds};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(grid_rounds), dim3(kBlocks),
                                         dim3(kThreads), arguments, 0, nullptr));
  FINISH_LAUNCH();
  for (int round = 0; round < rounds; ++round) {
    const std::vector<int> old = want;
    for (int i = 0; i < kCount; ++i) {
      want[std::size_t(i)] = old[std::size_t((i + kCount / 2) % kCount)] +
                             old[std::size_t((i + 1) % kCount)] % 1000 + round;
    }
  }
  testing::expect_equal(cells.download(), want);
}

void run() {
  tiles();
  coalesced();
  block();
  grid();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
