// Loads that hit the first level, by the lines that a request touches and the sectors of each: what
// a request of a strided load costs (scripts/gpu_counters, docs/performance.md). Every kernel is
// launched once.

#include "emulator/tests/support/device.h"

constexpr int kLine = 32;  // floats of a line
constexpr int kSteps = 512;
constexpr int kRows = 128;  // lines of the table: 16 KB

// 32 / kLines lanes in each of kLines lines, kApart floats apart.
template <int kLines, int kApart>
__global__ void lines(const float* table, float* out) {
  constexpr int kEach = 32 / kLines;
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int place = lane / kEach * kLine + lane % kEach * kApart;
  float sum = 0;
#pragma unroll 1
  for (int step = 0; step < kSteps; step += 4) {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum += table[(place + (step + k) * kLine) % (kRows * kLine)];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
  constexpr int kBlocks = 264;
  constexpr int kThreads = 256;
  float* table = nullptr;
  float* out = nullptr;
  CUDA_CHECK(cudaMalloc(&table, kRows * kLine * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&out, size_t{kBlocks} * kThreads * sizeof(float)));
  CUDA_CHECK(cudaMemset(table, 0, kRows * kLine * sizeof(float)));
  lines<1, 1><<<kBlocks, kThreads>>>(table, out);
  lines<2, 1><<<kBlocks, kThreads>>>(table, out);
  lines<2, 2><<<kBlocks, kThreads>>>(table, out);
  lines<4, 1><<<kBlocks, kThreads>>>(table, out);
  lines<4, 4><<<kBlocks, kThreads>>>(table, out);
  lines<8, 1><<<kBlocks, kThreads>>>(table, out);
  lines<8, 8><<<kBlocks, kThreads>>>(table, out);
  lines<16, 1><<<kBlocks, kThreads>>>(table, out);
  lines<16, 8><<<kBlocks, kThreads>>>(table, out);
  lines<32, 1><<<kBlocks, kThreads>>>(table, out);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(table));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
