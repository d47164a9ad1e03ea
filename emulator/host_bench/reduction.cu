// reduction [log2 n] [launches]: a tree in shared memory for each block of 256, bound by barriers
// and partly active warps.

#include <vector>

#include "emulator/host_bench/launches.h"

namespace {

constexpr int kBlock = 256;

__global__ void reduction(const float* in, float* sums, int n) {
  __shared__ float partial[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  partial[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = kBlock / 2; stride > 0; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}

}  // namespace

int main(int argc, char** argv) {
  const int n = 1 << warpsim::bench::argument(argc, argv, 1, 20);
  const int blocks = (n + kBlock - 1) / kBlock;
  std::vector<float> ones(n, 1.0f);
  float *in, *sums;
  cudaMalloc(&in, sizeof(float) * n);
  cudaMalloc(&sums, sizeof(float) * blocks);
  cudaMemcpy(in, ones.data(), sizeof(float) * n, cudaMemcpyHostToDevice);
  warpsim::bench::time_launches(warpsim::bench::argument(argc, argv, 2, 5),
                                [&] { reduction<<<blocks, kBlock>>>(in, sums, n); });
  float last = 0.0f;
  cudaMemcpy(&last, sums + blocks - 1, sizeof last, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(sums);
  return last == kBlock ? 0 : 1;
}
