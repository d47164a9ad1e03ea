#include "emulator/tests/checkers/pair.h"

// options: --devices 2

__global__ void count(int* a) {
  ++a[threadIdx.x];
}

// A kernel of device 1, whose result device 0 fetches in a stream of its own.
void run(bool waits) {
  int* here = zeros<int>(32);
  cudaStream_t stream = nullptr;
  look(cudaStreamCreate(&stream));
  look(cudaDeviceSynchronize());
  look(cudaSetDevice(1));
  int* there = zeros<int>(32);
  cudaEvent_t done = nullptr;
  look(cudaEventCreate(&done));
  count<<<1, 32>>>(there);
  look(cudaEventRecord(done));
  look(cudaSetDevice(0));
  if (waits) look(cudaStreamWaitEvent(stream, done));
  look(cudaMemcpyPeerAsync(here, 0, there, 1, 128, stream));
  look(cudaStreamSynchronize(stream));
  look(cudaStreamDestroy(stream));
  look(cudaEventDestroy(done));
  release(here, there);
}

// expect on the host: stream-race
void bug() {
  run(false);
}

void clean() {
  run(true);
}
