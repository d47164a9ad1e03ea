#include <algorithm>

#include "emulator/tests/support/program.h"

// Bitonic sort: inside a block in shared memory, across blocks with one launch a step.

namespace {

__global__ void sort_block(unsigned* keys, unsigned n) {
  extern __shared__ unsigned cells[];
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) cells[i] = keys[i];
  for (unsigned size = 2; size <= n; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (unsigned i = threadIdx.x; i < n / 2; i += blockDim.x) {
        const unsigned low = 2 * i - (i & (stride - 1)), high = low + stride;
        const bool ascending = (low & size) == 0;
        if ((cells[low] > cells[high]) == ascending) {
          const unsigned old = cells[low];
          cells[low] = cells[high];
          cells[high] = old;
        }
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) keys[i] = cells[i];
}

__global__ void sort_step(unsigned* keys, unsigned size, unsigned stride) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned other = i ^ stride;
  if (other <= i) return;
  const bool ascending = (i & size) == 0;
  if ((keys[i] > keys[other]) != ascending) return;
  const unsigned old = keys[i];
  keys[i] = keys[other];
  keys[other] = old;
}

std::vector<unsigned> random_keys(std::size_t n) {
  std::vector<unsigned> keys;
  for (const int x : testing::random_integers(n, 1 << 30)) keys.push_back(unsigned(x) * 7u);
  return keys;
}

void run() {
  for (const unsigned n : {2u, 64u, 1024u}) {
    std::vector<unsigned> want = random_keys(n);
    testing::Buffer<unsigned> keys(want);
    sort_block<<<1, 256, n * sizeof(unsigned)>>>(keys.get(), n);
    FINISH_LAUNCH();
    std::sort(want.begin(), want.end());
    testing::expect_equal(keys.download(), want);
  }
  constexpr unsigned kLarge = 1 << 13;
  std::vector<unsigned> want = random_keys(kLarge);
  testing::Buffer<unsigned> keys(want);
  for (unsigned size = 2; size <= kLarge; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      sort_step<<<kLarge / 256, 256>>>(keys.get(), size, stride);
    }
  }
  FINISH_LAUNCH();
  std::sort(want.begin(), want.end());
  testing::expect_equal(keys.download(), want);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}
