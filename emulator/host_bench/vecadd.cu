// vecadd [log2 n] [launches]: the lab that students start with, bound by global accesses.

#include <vector>

#include "emulator/host_bench/launches.h"

namespace {

__global__ void vecadd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

}  // namespace

int main(int argc, char** argv) {
  const int n = 1 << warpsim::bench::argument(argc, argv, 1, 20);
  const std::size_t bytes = sizeof(float) * n;
  std::vector<float> ones(n, 1.0f);
  float *a, *b, *c;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
  warpsim::bench::time_launches(warpsim::bench::argument(argc, argv, 2, 5),
                                [&] { vecadd<<<(n + 255) / 256, 256>>>(a, b, c, n); });
  float last = 0.0f;
  cudaMemcpy(&last, c + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  return last == 2.0f ? 0 : 1;
}
