#include <thread>

#include "emulator/tests/checkers/pair.h"

__global__ void count(int* a) {
  ++a[threadIdx.x];
}

// Two host threads, one after the other, that launch without waiting.
void run(cudaStream_t stream) {
  int* a = zeros<int>(32);
  look(cudaDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    std::thread([=] {
      count<<<1, 32, 0, stream>>>(a);
      look(cudaGetLastError());
    }).join();
  }
  look(cudaDeviceSynchronize());
  release(a);
}

// expect on the host: stream-race
void bug() {
  run(cudaStreamPerThread);
}

void clean() {
  run(cudaStreamLegacy);
}
