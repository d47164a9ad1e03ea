#include "devices.h"

#include <cuda_runtime.h>

#include <algorithm>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

constexpr int kBlock = 256;
constexpr int kMostBlocks = 216;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
  unsigned largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    largest = max(largest, __float_as_uint(fabsf(in[i])));
  for (int d = 16; d > 0; d /= 2) largest = max(largest, __shfl_xor_sync(0xffffffff, largest, d));
  if (threadIdx.x % 32 == 0) atomicMax(peak, largest);
}

__global__ void scale(float* samples, int count, const unsigned* peak) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float divisor = __uint_as_float(*peak);
  if (i < count) samples[i] = divisor > 0 ? samples[i] / divisor : 0;
}

int blocks(int count) {
  return (count + kBlock - 1) / kBlock;
}

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float* part = nullptr;
  unsigned* peak = nullptr;
  CHECK(cudaMalloc(&part, bytes));
  CHECK(cudaMalloc(&peak, sizeof(unsigned)));
  CHECK(cudaMemcpy(part, samples, bytes, cudaMemcpyHostToDevice));
  const float one = 1;
  CHECK(cudaMemcpy(peak, &one, sizeof(float), cudaMemcpyHostToDevice));
  find_peak<<<std::min(blocks(n), kMostBlocks), kBlock>>>(part, n, peak);
  CHECK(cudaGetLastError());
  scale<<<blocks(n), kBlock>>>(part, n, peak);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result, part, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(part));
  CHECK(cudaFree(peak));
}
