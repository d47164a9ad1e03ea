#include <algorithm>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "emulator/tests/support/program.h"

// A library that nvcc compiles into the program: CUB's block-wide reduction, scan and sort.

namespace {

constexpr int kThreads = 128, kItems = 4;

template <cub::BlockReduceAlgorithm Algorithm>
__global__ void reduce(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, kThreads, Algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[blockIdx.x * kThreads + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

__global__ void scan(const int* in, int* out) {
  using Scan = cub::BlockScan<int, kThreads>;
  __shared__ typename Scan::TempStorage storage;
  int items[kItems];
  for (int i = 0; i < kItems; ++i) items[i] = in[int(threadIdx.x) * kItems + i];
  Scan(storage).ExclusiveSum(items, items);
  for (int i = 0; i < kItems; ++i) out[int(threadIdx.x) * kItems + i] = items[i];
}

__global__ void sort(const int* in, int* out) {
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  __shared__ typename Sort::TempStorage storage;
  int keys[kItems];
  for (int i = 0; i < kItems; ++i) keys[i] = in[int(threadIdx.x) * kItems + i];
  Sort(storage).Sort(keys);
  for (int i = 0; i < kItems; ++i) out[int(threadIdx.x) * kItems + i] = keys[i];
}

void run() {
  const std::vector<int> values = testing::random_integers(kThreads * kItems, 100000);
  const testing::Buffer<int> in(values);
  std::vector<int> sums(kItems), scanned, sorted = values;
  int sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i / kThreads] += values[i];
    scanned.push_back(sum);
    sum += values[i];
  }
  std::sort(sorted.begin(), sorted.end());

  testing::Buffer<int> block_sums(kItems), out(values.size());
  reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<kItems, kThreads>>>(in.get(), block_sums.get());
  FINISH_LAUNCH();
  testing::expect_equal(block_sums.download(), sums);
  reduce<cub::BLOCK_REDUCE_RAKING><<<kItems, kThreads>>>(in.get(), block_sums.get());
  FINISH_LAUNCH();
  testing::expect_equal(block_sums.download(), sums);
  scan<<<1, kThreads>>>(in.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), scanned);
  sort<<<1, kThreads>>>(in.get(), out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), sorted);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
