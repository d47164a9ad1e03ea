#include "emulator/tests/checkers/pair.h"

// One past the end of an array is outside, although another array follows.
__global__ void shift(int* out, int by) {
  __shared__ int first[32];
  __shared__ int second[32];
  const int i = int(threadIdx.x);
  first[i] = i;
  second[i] = 2 * i;
  __syncthreads();
  const int neighbour = first[i + by];  // expect: oob-shared-read
  out[i] = neighbour + second[31 - i];
}

void run(int by) {
  int* out = zeros<int>(32);
  shift<<<1, 32>>>(out, by);
  finish();
  release(out);
}

void bug() {
  run(1);
}
void clean() {
  run(0);
}
