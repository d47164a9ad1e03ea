#include "emulator/tests/checkers/pair.h"

// The last float4 is half inside.
__global__ void copy(const float4* a, float4* b, int quads) {
  const int i = int(threadIdx.x);
  if (i < quads) b[i] = a[i];  // expect: oob-global-read
}

void run(int quads) {
  float *a = zeros<float>(126), *b = zeros<float>(128);
  copy<<<1, 64>>>(reinterpret_cast<const float4*>(a), reinterpret_cast<float4*>(b), quads);
  finish();
  release(a, b);
}

void bug() {
  run(32);
}
void clean() {
  run(31);
}
