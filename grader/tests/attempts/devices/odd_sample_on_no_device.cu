#include "devices.h"

#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
  float mine = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock)
    mine = fmaxf(mine, fabsf(in[i]));
  for (int d = 16; d > 0; d /= 2) mine = fmaxf(mine, __shfl_down_sync(0xffffffff, mine, d));
  if (threadIdx.x % 32 == 0) atomicMax(peak, __float_as_uint(mine));
}

__global__ void scale(float* samples, int count, float peak) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) samples[i] = peak == 0 ? 0 : samples[i] / peak;
}

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  int first[2], count[2];
  first[0] = 0;
  count[0] = n / 2;
  first[1] = n / 2;
  count[1] = n / 2;

  float* part[2] = {nullptr, nullptr};
  unsigned* peak[2];
  cudaStream_t stream[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamCreate(&stream[d]);
    cudaMalloc(&peak[d], sizeof(unsigned));
    cudaMemsetAsync(peak[d], 0, sizeof(unsigned), stream[d]);
    if (count[d] == 0) continue;
    cudaMalloc(&part[d], count[d] * sizeof(float));
    cudaMemcpyAsync(part[d], samples + first[d], count[d] * sizeof(float), cudaMemcpyHostToDevice,
                    stream[d]);
    int blocks = (count[d] + kBlock - 1) / kBlock;
    find_peak<<<blocks < 64 ? blocks : 64, kBlock, 0, stream[d]>>>(part[d], count[d], peak[d]);
    if (cudaGetLastError() != cudaSuccess) return;
  }
  float both[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamSynchronize(stream[d]);
    cudaMemcpy(&both[d], peak[d], sizeof(float), cudaMemcpyDeviceToHost);
  }
  const float largest = both[0] > both[1] ? both[0] : both[1];
  for (int d = 0; d < 2; ++d) {
    if (count[d] == 0) continue;
    cudaSetDevice(d);
    scale<<<(count[d] + kBlock - 1) / kBlock, kBlock, 0, stream[d]>>>(part[d], count[d], largest);
    if (cudaGetLastError() != cudaSuccess) return;
    cudaMemcpyAsync(result + first[d], part[d], count[d] * sizeof(float), cudaMemcpyDeviceToHost,
                    stream[d]);
  }
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamSynchronize(stream[d]);
    cudaStreamDestroy(stream[d]);
    cudaFree(peak[d]);
    if (part[d] != nullptr) cudaFree(part[d]);
  }
  cudaSetDevice(0);
}
