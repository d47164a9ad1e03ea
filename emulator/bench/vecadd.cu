// Sum of two vectors of 2^20 floats: the lab that students start with, bound by global accesses.

#include <vector>

#include "emulator/bench/launches.h"

namespace {

constexpr int kSize = 1 << 20;

__global__ void vecadd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

int main() {
  const std::size_t bytes = sizeof(float) * kSize;
  std::vector<float> ones(kSize, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
  warpsim::bench::time_launches(5, [&] { vecadd<<<(kSize + 255) / 256, 256>>>(a, b, c, kSize); });
  float last = 0.0f;
  cudaMemcpy(&last, c + kSize - 1, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return last == 2.0f ? 0 : 1;
}
