// lab:     devices
// does:    copies partial peaks from device to device, and the first device decides
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "devices.h"

constexpr int kParts = 64;

__global__ void find_peaks(const float* in, int count, float* peaks) {
  float largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    largest = fmaxf(largest, fabsf(in[i]));
  }
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_down_sync(~0u, largest, d));
  if (threadIdx.x == 0) peaks[blockIdx.x] = largest;
}

__global__ void scale(float* samples, int count, const float* peaks) {
  float peak = 0;
  for (int p = 0; p < 2 * kParts; ++p) peak = fmaxf(peak, peaks[p]);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) samples[i] = peak > 0 ? samples[i] / peak : 0;
}

void scale_to_peak(const float* samples, float* result, int n) {
  if (n == 0) return;
  const int starts[3] = {0, n / 3, n};  // not halves
  float *in[2], *peaks[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    const int count = starts[d + 1] - starts[d];
    cudaMalloc(&in[d], (count + 1) * sizeof(float));
    cudaMalloc(&peaks[d], 2 * kParts * sizeof(float));
    cudaMemcpy(in[d], samples + starts[d], count * sizeof(float), cudaMemcpyHostToDevice);
    find_peaks<<<kParts, 32>>>(in[d], count, peaks[d] + d * kParts);
    cudaDeviceSynchronize();
  }
  for (int d = 0; d < 2; ++d) {
    const int other = 1 - d;
    cudaMemcpyPeer(peaks[d] + other * kParts, d, peaks[other] + other * kParts, other,
                   kParts * sizeof(float));
  }
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    const int count = starts[d + 1] - starts[d];
    if (count > 0) {
      scale<<<(count + 255) / 256, 256>>>(in[d], count, peaks[d]);
      cudaMemcpy(result + starts[d], in[d], count * sizeof(float), cudaMemcpyDeviceToHost);
    }
    cudaFree(in[d]);
    cudaFree(peaks[d]);
  }
  cudaSetDevice(0);
}
