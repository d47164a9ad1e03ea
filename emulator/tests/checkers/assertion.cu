#undef NDEBUG
#include <cassert>

#include "emulator/tests/checkers/pair.h"

__global__ void require(const int* a, int limit) {
  assert(a[threadIdx.x] < limit);  // expect: assertion
}

void run(int limit) {
  int* a = zeros<int>(32);
  require<<<1, 32>>>(a, limit);
  finish();
  release(a);
}

void bug() {
  run(0);
}
void clean() {
  run(1);
}
