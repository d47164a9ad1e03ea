#include "emulator/tests/checkers/pair.h"

__global__ void read(const float* a, float* out, int offset) {
  const float4 v = *reinterpret_cast<const float4*>(a + offset);  // expect: misaligned-global
  *out = v.x + v.w;
}

void run(int offset) {
  float *a = zeros<float>(16), *out = zeros<float>(1);
  read<<<1, 1>>>(a, out, offset);
  finish();
  release(a, out);
}

void bug() {
  run(2);
}
void clean() {
  run(4);
}
