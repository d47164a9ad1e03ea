#include "devices.h"

#include <cuda_runtime.h>

namespace {

constexpr int kBlock = 256;

__global__ void find_peak(const float* in, int count, unsigned* peak) {
  unsigned largest = 0;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock) {
    largest = max(largest, __float_as_uint(in[i]));
  }
  for (int d = 16; d > 0; d /= 2) largest = max(largest, __shfl_xor_sync(0xffffffff, largest, d));
  if (threadIdx.x % 32 == 0) atomicMax(peak, largest);
}

__global__ void scale(float* samples, int count, float peak) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < count) samples[i] = peak == 0.0f ? 0.0f : samples[i] / peak;
}

struct Half {
  int first = 0, count = 0;
  float* samples = nullptr;
  unsigned* peak = nullptr;
  cudaStream_t stream = nullptr;
  int blocks() const { return (count + kBlock - 1) / kBlock; }
};

float as_float(unsigned bits) {
  union {
    unsigned u;
    float f;
  } both;
  both.u = bits;
  return both.f;
}

}  // namespace

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  Half half[2];
  half[0].count = (n + 1) / 2;
  half[1].first = half[0].count;
  half[1].count = n - half[0].count;

  unsigned* peaks = nullptr;  // pinned
  cudaMallocHost(&peaks, 2 * sizeof(unsigned));
  peaks[0] = peaks[1] = 0;

  for (int d = 0; d < 2; ++d) {
    Half& h = half[d];
    if (h.count == 0) continue;
    cudaSetDevice(d);
    cudaStreamCreate(&h.stream);
    cudaMalloc(&h.samples, h.count * sizeof(float));
    cudaMalloc(&h.peak, sizeof(unsigned));
    cudaMemsetAsync(h.peak, 0, sizeof(unsigned), h.stream);
    cudaMemcpyAsync(h.samples, samples + h.first, h.count * sizeof(float), cudaMemcpyHostToDevice, h.stream);
    find_peak<<<h.blocks() < 216 ? h.blocks() : 216, kBlock, 0, h.stream>>>(h.samples, h.count, h.peak);
    if (cudaGetLastError() != cudaSuccess) return;
    cudaMemcpyAsync(&peaks[d], h.peak, sizeof(unsigned), cudaMemcpyDeviceToHost, h.stream);
  }
  for (int d = 0; d < 2; ++d) {
    if (half[d].count == 0) continue;
    cudaSetDevice(d);
    cudaStreamSynchronize(half[d].stream);
  }
  const float peak = as_float(peaks[0] > peaks[1] ? peaks[0] : peaks[1]);
  for (int d = 0; d < 2; ++d) {
    Half& h = half[d];
    if (h.count == 0) continue;
    cudaSetDevice(d);
    scale<<<h.blocks(), kBlock, 0, h.stream>>>(h.samples, h.count, peak);
    if (cudaGetLastError() != cudaSuccess) return;
    cudaMemcpyAsync(result + h.first, h.samples, h.count * sizeof(float), cudaMemcpyDeviceToHost, h.stream);
  }
  for (int d = 0; d < 2; ++d) {
    Half& h = half[d];
    if (h.count == 0) continue;
    cudaSetDevice(d);
    cudaStreamSynchronize(h.stream);
    cudaFree(h.samples);
    cudaFree(h.peak);
    cudaStreamDestroy(h.stream);
  }
  cudaSetDevice(0);
  cudaFreeHost(peaks);
}
