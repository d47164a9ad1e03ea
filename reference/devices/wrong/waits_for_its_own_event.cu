// verdict: fails-safety
// pitfall: P76
// caught-by: finding stream-race
// A device waits for its own event instead of the other's.
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

__global__ void scale(float* samples, int count, const unsigned* own, const unsigned* other) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float divisor = __uint_as_float(max(*own, *other));
  if (i < count) samples[i] = divisor > 0 ? samples[i] / divisor : 0;
}

int blocks(int count) {
  return (count + kBlock - 1) / kBlock;
}

// What one device has.
struct Part {
  int first = 0;
  int count = 0;
  cudaStream_t stream = nullptr;
  float* samples = nullptr;
  unsigned* peak = nullptr;
  cudaEvent_t found = nullptr;  // the peak
};

// Makes the part's device current, and begins with the copy and the peak.
void begin(Part& part, int d, const float* samples) {
  CHECK(cudaSetDevice(d));
  CHECK(cudaStreamCreate(&part.stream));
  CHECK(cudaMalloc(&part.samples, std::max(part.count, 1) * sizeof(float)));
  CHECK(cudaMalloc(&part.peak, sizeof(unsigned)));
  CHECK(cudaEventCreateWithFlags(&part.found, cudaEventDisableTiming));
  CHECK(cudaMemsetAsync(part.peak, 0, sizeof(unsigned), part.stream));
  if (part.count == 0) return;
  CHECK(cudaMemcpyAsync(part.samples, samples + part.first, part.count * sizeof(float),
                        cudaMemcpyHostToDevice, part.stream));
  find_peak<<<std::min(blocks(part.count), kMostBlocks), kBlock, 0, part.stream>>>(
      part.samples, part.count, part.peak);
  CHECK(cudaGetLastError());
}

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  const int half = (n + 1) / 2;
  Part parts[2] = {{0, half}, {half, n - half}};
  for (int d = 0; d < 2; ++d) {
    begin(parts[d], d, samples);
    CHECK(cudaDeviceEnablePeerAccess(1 - d, 0));
    CHECK(cudaEventRecord(parts[d].found, parts[d].stream));
  }
  for (int d = 0; d < 2; ++d) {
    const Part& part = parts[d];
    const Part& other = parts[1 - d];
    if (part.count == 0) continue;
    CHECK(cudaSetDevice(d));
    CHECK(cudaStreamWaitEvent(part.stream, part.found, 0));
    scale<<<blocks(part.count), kBlock, 0, part.stream>>>(part.samples, part.count, part.peak,
                                                          other.peak);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result + part.first, part.samples, part.count * sizeof(float),
                          cudaMemcpyDeviceToHost, part.stream));
  }
  for (Part& part : parts) {
    CHECK(cudaStreamSynchronize(part.stream));
    CHECK(cudaStreamDestroy(part.stream));
    CHECK(cudaEventDestroy(part.found));
    CHECK(cudaFree(part.samples));
    CHECK(cudaFree(part.peak));
  }
  // Peer access stays enabled until it is disabled, and enabling it twice is an error.
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaDeviceDisablePeerAccess(1 - d));
  }
  CHECK(cudaSetDevice(0));
}
