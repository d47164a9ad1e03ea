#include "emulator/tests/checkers/pair.h"

// ldmatrix.x4 reads 32 rows of 16 bytes, of which every lane gives one.
__global__ void load(unsigned* out, int rows) {
  __shared__ alignas(16) unsigned tile[16][4];
  for (unsigned i = threadIdx.x; i < 64; i += 32) tile[i / 4][i % 4] = i;
  __syncthreads();
  const auto row = unsigned(__cvta_generic_to_shared(&tile[threadIdx.x % unsigned(rows)][0]));
  unsigned d[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(row));  // expect: oob-shared-read
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + unsigned(i)] = d[i];
}

void run(int rows) {
  auto* out = zeros<unsigned>(128);
  load<<<1, 32>>>(out, rows);
  finish();
  release(out);
}

void bug() {
  run(17);
}
void clean() {
  run(16);
}
