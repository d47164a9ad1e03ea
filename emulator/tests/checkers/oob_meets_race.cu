#include "emulator/tests/checkers/pair.h"

// Out-of-bounds accesses that meet another array race with its accesses by chance; one that leaves
// the array on which threads race explains nothing.

namespace other_array {

// The index counts whole rows where it should stay in its own: it reaches `sums`.
__global__ void add(const int* values, int* sums, int step) {
  int sum = 0;
  for (int k = 0; k < 16; ++k) {
    sum += values[int(blockIdx.x) * 16 + k * step];  // expect: oob-global-read
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void run(int step) {
  int *values = zeros<int>(64), *sums = zeros<int>(64);
  add<<<4, 32>>>(values, sums, step);
  finish();
  release(values, sums);
}

}  // namespace other_array

namespace same_array {

// In place: a block reads the first element of the next one, and the last block one too many.
// expect anywhere: race-global
__global__ void shift(const int* from, int* to, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  to[i] = from[i + 1];  // expect: oob-global-read // expect warning: warp-synchronous
}

void run(bool separate) {
  int *a = zeros<int>(256), *b = zeros<int>(256);
  shift<<<4, 64>>>(a, separate ? b : a, separate ? 255 : 256);
  finish();
  release(a, b);
}

}  // namespace same_array

namespace far_index {

// An index that was read out of bounds leads far away from device memory, and not to the host's.
__global__ void gather(const int* index, const int* from, int* to, int n) {
  const int i = int(threadIdx.x);
  if (i <= n) to[i] = from[index[i]];  // expect: oob-global-read
}

void run(int n) {
  int *index = zeros<int>(31), *from = zeros<int>(1), *to = zeros<int>(32);
  gather<<<1, 32>>>(index, from, to, n);
  finish();
  release(index, from, to);
}

}  // namespace far_index

void bug() {
  other_array::run(16);
  same_array::run(false);
  far_index::run(31);
}
void clean() {
  other_array::run(1);
  same_array::run(true);
  far_index::run(30);
}
