#include "emulator/tests/checkers/pair.h"

// A lock for each bin, so many that the checker remembers the words themselves less exactly. What
// they protect it must not.
template <bool kFence>
__global__ void count(int* locks, int* bins, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const int bin = int(unsigned(i) * 2654435761u % unsigned(n));
  for (bool done = false; !done;) {
    if (atomicCAS(&locks[bin], 0, 1) == 0) {
      bins[bin] += 1;  // expect: race-global
      if (kFence) __threadfence();
      atomicExch(&locks[bin], 0);
      done = true;
    }
  }
}

template <bool kFence>
void run() {
  constexpr int kBins = 6000;
  int *locks = zeros<int>(kBins), *bins = zeros<int>(kBins);
  count<kFence><<<64, 256>>>(locks, bins, kBins);
  finish();
  release(locks, bins);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
