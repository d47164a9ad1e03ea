#include "emulator/tests/checkers/pair.h"

// options: --devices 2

// expect on the host: no-peer-access
void bug() {
  look(cudaSetDevice(1));
  int* a = zeros<int>(32);
  look(cudaDeviceSynchronize());
  look(cudaSetDevice(0));
  look(cudaMemset(a, 0, 128));
  release(a);
}

void clean() {
  look(cudaSetDevice(1));
  int* a = zeros<int>(32);
  look(cudaDeviceSynchronize());
  look(cudaSetDevice(0));
  look(cudaDeviceEnablePeerAccess(1, 0));
  look(cudaMemset(a, 0, 128));
  release(a);
}
