#include "emulator/tests/checkers/pair.h"

// A matrix instruction belongs to a whole warp: threads that have left are missing.
__global__ void multiply(float* out, int threads) {
  if (int(threadIdx.x) >= threads) return;
  const unsigned ones = 0x3c003c00;
  float d[4] = {};
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(ones));  // expect: sync-mask
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

void run(int threads) {
  auto* out = zeros<float>(64);
  multiply<<<1, 64>>>(out, threads);
  finish();
  release(out);
}

void bug() {
  run(40);
}
void clean() {
  run(32);
}
