#include "emulator/tests/checkers/pair.h"

__global__ void read(int* out, int offset) {
  __shared__ alignas(8) unsigned char bytes[32];
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    *out = *reinterpret_cast<const int*>(bytes + offset);  // expect: misaligned-shared
  }
}

void run(int offset) {
  int* out = zeros<int>(1);
  read<<<1, 32>>>(out, offset);
  finish();
  release(out);
}

void bug() {
  run(6);
}
void clean() {
  run(8);
}
