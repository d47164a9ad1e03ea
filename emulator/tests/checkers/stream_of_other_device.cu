#include "emulator/tests/checkers/pair.h"

// options: --devices 2

__global__ void count(int* a) {
  ++a[threadIdx.x];
}

void run(bool sets_device) {
  int* a = zeros<int>(32);
  cudaStream_t stream = nullptr;
  look(cudaStreamCreate(&stream));
  look(cudaDeviceSynchronize());
  look(cudaSetDevice(1));
  if (sets_device) look(cudaSetDevice(0));
  count<<<1, 32, 0, stream>>>(a);
  look(cudaGetLastError());
  look(cudaStreamSynchronize(stream));
  look(cudaStreamDestroy(stream));
  release(a);
}

// expect on the host warning: stream-of-other-device
void bug() {
  run(false);
}

void clean() {
  run(true);
}
