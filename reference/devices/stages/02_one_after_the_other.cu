// Rung 2: two devices, one after the other. cudaMemcpy returns when the copy is done, so device 1
// gets its samples when device 0 has all of its own.
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

// Bits of non-negative floats are ordered like the floats.
__global__ void find_peak(const float* in, int count, unsigned* peak) {
  unsigned largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    largest = max(largest, __float_as_uint(fabsf(in[i])));
  for (int d = 16; d > 0; d /= 2) largest = max(largest, __shfl_xor_sync(0xffffffff, largest, d));
  if (threadIdx.x % 32 == 0) atomicMax(peak, largest);
}

__global__ void scale(float* samples, int count, unsigned peak) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float divisor = __uint_as_float(peak);
  if (i < count) samples[i] = divisor > 0 ? samples[i] / divisor : 0;
}

int blocks(int count) {
  return (count + kBlock - 1) / kBlock;
}

void scale_to_peak(const float* samples, float* result, int n) {
  const int first[3] = {0, (n + 1) / 2, n};
  float* part[2] = {};
  unsigned peaks[2] = {};
  for (int d = 0; d < 2; ++d) {
    const int count = first[d + 1] - first[d];
    if (count == 0) continue;
    CHECK(cudaSetDevice(d));
    unsigned* peak = nullptr;
    CHECK(cudaMalloc(&part[d], count * sizeof(float)));
    CHECK(cudaMalloc(&peak, sizeof(unsigned)));
    CHECK(cudaMemcpy(part[d], samples + first[d], count * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(peak, 0, sizeof(unsigned)));
    find_peak<<<std::min(blocks(count), kMostBlocks), kBlock>>>(part[d], count, peak);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&peaks[d], peak, sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(peak));
  }
  for (int d = 0; d < 2; ++d) {
    const int count = first[d + 1] - first[d];
    if (count == 0) continue;
    CHECK(cudaSetDevice(d));
    scale<<<blocks(count), kBlock>>>(part[d], count, std::max(peaks[0], peaks[1]));
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result + first[d], part[d], count * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(part[d]));
  }
  CHECK(cudaSetDevice(0));
}
