#include "emulator/tests/checkers/pair.h"

// A flag that is not a volatile variable: the compiler reads it once, in front of the loop.
__global__ void wait_for_flag(int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
      asm volatile("");  // C++ lets a compiler drop an endless loop that does nothing
    }
    *out = 1;
  } else {
    *flag = 1;
  }
}

__global__ void wait_for_volatile_flag(volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
    *out = 1;
  } else {
    *flag = 1;
  }
}

// expect anywhere: instruction-budget
// Several host threads run both blocks at once, and the flag may then be seen: a race of its own.
// options: --budget 3000000 --threads 1
void bug() {
  int *flag = zeros<int>(1), *out = zeros<int>(1);
  wait_for_flag<<<2, 1>>>(flag, out);
  finish();
  release(flag, out);
}
void clean() {
  int *flag = zeros<int>(1), *out = zeros<int>(1);
  wait_for_volatile_flag<<<2, 1>>>(flag, out);
  finish();
  release(flag, out);
}
