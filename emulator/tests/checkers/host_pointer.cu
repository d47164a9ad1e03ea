#include <vector>

#include "emulator/tests/checkers/pair.h"

__global__ void scale(float* a) {
  a[threadIdx.x] *= 2;  // expect: host-pointer-in-kernel
}

void bug() {
  std::vector<float> a(32, 1.0f);
  scale<<<1, 32>>>(a.data());
  finish();
}

void clean() {
  std::vector<float> a(32, 1.0f);
  if (cudaHostRegister(a.data(), 128, cudaHostRegisterDefault) != cudaSuccess) return;
  scale<<<1, 32>>>(a.data());
  finish();
  if (cudaHostUnregister(a.data()) != cudaSuccess) return;
}
