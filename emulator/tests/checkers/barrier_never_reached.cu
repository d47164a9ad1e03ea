#include "emulator/tests/checkers/pair.h"

// One thread waits for a signal that is only given after the barrier where the others wait.
__global__ void wait(int* a, bool before) {
  volatile int* flag = a;
  if (before && threadIdx.x == 0) *flag = 1;
  if (threadIdx.x == 33) {
    while (*flag == 0) {
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) *flag = 1;
}

// expect anywhere: deadlock
void run(bool before) {
  int* a = zeros<int>(1);
  wait<<<1, 64>>>(a, before);
  finish();
  release(a);
}

void bug() {
  run(false);
}
void clean() {
  run(true);
}
