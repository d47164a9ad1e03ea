#include "devices.h"

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(x) \
  if (cudaError_t e = (x); e != cudaSuccess) std::fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)), std::exit(1)

constexpr int kBlock = 256;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
  float mine = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
    mine = fmaxf(mine, fabsf(in[i]));
  for (int d = 16; d > 0; d /= 2) mine = fmaxf(mine, __shfl_xor_sync(0xffffffff, mine, d));
  if (threadIdx.x % 32 == 0) atomicMax(peak, __float_as_uint(mine));
}

// peaks[0] is this device's own peak, peaks[1] the other one's
__global__ void scale(float* samples, int count, const unsigned* peaks) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= count) return;
  const float p = __uint_as_float(max(peaks[0], peaks[1]));
  samples[i] = p == 0.0f ? 0.0f : samples[i] / p;
}

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;

  const int first[2] = {0, (n + 1) / 2};
  const int count[2] = {(n + 1) / 2, n - (n + 1) / 2};
  float* part[2];
  unsigned* peaks[2];
  cudaStream_t stream[2];
  cudaEvent_t found[2];

  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaStreamCreate(&stream[d]));
    CHECK(cudaEventCreateWithFlags(&found[d], cudaEventDisableTiming));
    CHECK(cudaMalloc(&part[d], sizeof(float) * (count[d] + 1)));
    CHECK(cudaMalloc(&peaks[d], 2 * sizeof(unsigned)));
    CHECK(cudaMemsetAsync(peaks[d], 0, 2 * sizeof(unsigned), stream[d]));
    if (count[d] > 0) {
      CHECK(cudaMemcpyAsync(part[d], samples + first[d], sizeof(float) * count[d],
                            cudaMemcpyHostToDevice, stream[d]));
      int blocks = (count[d] + kBlock * 8 - 1) / (kBlock * 8);
      find_peak<<<blocks, kBlock, 0, stream[d]>>>(part[d], count[d], peaks[d]);
      CHECK(cudaGetLastError());
    }
    CHECK(cudaEventRecord(found[d], stream[d]));
  }

  // device 0 gets the peak of device 1, and the other way round
  CHECK(cudaSetDevice(0));
  CHECK(cudaStreamWaitEvent(stream[0], found[1], 0));
  CHECK(cudaMemcpyPeerAsync(peaks[0] + 1, 0, peaks[1], 1, sizeof(unsigned), stream[0]));
  CHECK(cudaSetDevice(1));
  CHECK(cudaStreamWaitEvent(stream[1], found[0], 0));
  CHECK(cudaMemcpyPeerAsync(peaks[1] + 1, 1, peaks[1], 1, sizeof(unsigned), stream[1]));

  for (int d = 0; d < 2; ++d) {
    if (count[d] == 0) continue;
    CHECK(cudaSetDevice(d));
    scale<<<(count[d] + kBlock - 1) / kBlock, kBlock, 0, stream[d]>>>(part[d], count[d], peaks[d]);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(result + first[d], part[d], sizeof(float) * count[d],
                          cudaMemcpyDeviceToHost, stream[d]));
  }
  for (int d = 0; d < 2; ++d) CHECK(cudaStreamSynchronize(stream[d]));
  for (int d = 0; d < 2; ++d) {
    CHECK(cudaSetDevice(d));
    CHECK(cudaFree(part[d]));
    CHECK(cudaFree(peaks[d]));
    CHECK(cudaEventDestroy(found[d]));
    CHECK(cudaStreamDestroy(stream[d]));
  }
  CHECK(cudaSetDevice(0));
}
