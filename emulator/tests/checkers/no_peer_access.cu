#include "emulator/tests/checkers/pair.h"

// options: --devices 2

__global__ void add(const int* a, int* b) {
  b[threadIdx.x] += a[threadIdx.x];  // expect: no-peer-access
}

// The kernel runs on device 0 and reads memory of device 1.
void run(bool enables) {
  look(cudaSetDevice(1));
  int* a = zeros<int>(32);
  look(cudaDeviceSynchronize());
  look(cudaSetDevice(0));
  if (enables) look(cudaDeviceEnablePeerAccess(1, 0));
  int* b = zeros<int>(32);
  add<<<1, 32>>>(a, b);
  finish();
  release(a, b);
}

void bug() {
  run(false);
}

void clean() {
  run(true);
}
