#include <cub/block/block_merge_sort.cuh>

#include <algorithm>

#include "emulator/tests/support/program.h"

// CUB's merge sort of a tile that is not full: it reads shared memory past the last valid item and
// throws the values away, which is not a mistake.

namespace {

constexpr int kThreads = 64;
constexpr int kItems = 4;
constexpr int kTile = kThreads * kItems;

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void sort_tile(const int* in, int* out, int n) {
  using Sort = cub::BlockMergeSort<int, kThreads, kItems>;
  __shared__ typename Sort::TempStorage storage;
  int keys[kItems];
  const int first = int(threadIdx.x) * kItems;
  for (int k = 0; k < kItems; ++k) {
    if (first + k < n) keys[k] = in[first + k];
  }
  Sort(storage).Sort(keys, Less{}, n, 0x7fffffff);
  for (int k = 0; k < kItems; ++k) {
    if (first + k < n) out[first + k] = keys[k];
  }
}

void run() {
  for (const int n : {kTile, kTile - 1, 100, 33, 1}) {
    std::vector<int> values = testing::random_integers(std::size_t(n), 1000);
    testing::Buffer<int> in(values), out(values.size());
    sort_tile<<<1, kThreads>>>(in.get(), out.get(), n);
    FINISH_LAUNCH();
    std::sort(values.begin(), values.end());
    testing::expect_equal(out.download(), values);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
