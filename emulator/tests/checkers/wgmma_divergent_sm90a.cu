#include "emulator/tests/checkers/wgmma.h"

// options: --card h200

// Half of the threads of each warp.
template <bool kWhole>
__global__ void multiply(float* out) {
  __shared__ Operands operands;
  fill(operands);
  float d[4] = {};
  FENCE();
  if (kWhole || threadIdx.x % 2 == 0) {
    MULTIPLY(d, describe(operands.a), describe(operands.b));  // expect: sync-mask P38
  }
  COMMIT();
  WAIT();
  out[threadIdx.x] = d[0];
}

template <bool kWhole>
void run() {
  float* out = zeros<float>(128);
  multiply<kWhole><<<1, 128>>>(out);
  finish();
  release(out);
}

void bug() {
  run<false>();
}
void clean() {
  run<true>();
}
