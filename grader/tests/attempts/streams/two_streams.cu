#include "streams.h"

#include <cuda_runtime.h>

#include <cstring>
#include <iostream>

static bool good(cudaError_t e) {
  if (e != cudaSuccess) std::cerr << cudaGetErrorString(e) << std::endl;
  return e == cudaSuccess;
}

// `begin` to `end` are the outputs of this launch; `in` and `out` are the whole arrays.
__global__ void filter_part(const float* in, const float* weights, float* out, int begin, int end,
                            int taps) {
  const int i = begin + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= end) return;
  float sum = 0.0f;
  for (int t = 0; t < taps; ++t) {
    if (i - t < 0) break;
    sum += weights[t] * in[i - t];
  }
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;

  float *host_in, *host_out, *host_w;
  float *dev_in, *dev_out, *dev_w;
  good(cudaMallocHost(&host_in, n * sizeof(float)));
  good(cudaMallocHost(&host_out, n * sizeof(float)));
  good(cudaMallocHost(&host_w, taps * sizeof(float)));
  good(cudaMalloc(&dev_in, n * sizeof(float)));
  good(cudaMalloc(&dev_out, n * sizeof(float)));
  good(cudaMalloc(&dev_w, taps * sizeof(float)));
  std::memcpy(host_in, in, n * sizeof(float));
  std::memcpy(host_w, weights, taps * sizeof(float));

  cudaStream_t streams[2];
  good(cudaStreamCreate(&streams[0]));
  good(cudaStreamCreate(&streams[1]));

  // the weights go first, so they are there when the kernels start
  good(cudaMemcpyAsync(dev_w, host_w, taps * sizeof(float), cudaMemcpyHostToDevice, streams[0]));

  const int bounds[3] = {0, n / 2, n};
  for (int h = 0; h < 2; ++h) {
    const int begin = bounds[h], count = bounds[h + 1] - bounds[h];
    if (count == 0) continue;
    good(cudaMemcpyAsync(dev_in + begin, host_in + begin, count * sizeof(float),
                         cudaMemcpyHostToDevice, streams[h]));
    filter_part<<<(count + 255) / 256, 256, 0, streams[h]>>>(dev_in, dev_w, dev_out, begin,
                                                            begin + count, taps);
    good(cudaGetLastError());
    good(cudaMemcpyAsync(host_out + begin, dev_out + begin, count * sizeof(float),
                         cudaMemcpyDeviceToHost, streams[h]));
  }
  for (int h = 0; h < 2; ++h) good(cudaStreamSynchronize(streams[h]));
  std::memcpy(out, host_out, n * sizeof(float));

  for (int h = 0; h < 2; ++h) good(cudaStreamDestroy(streams[h]));
  good(cudaFreeHost(host_in));
  good(cudaFreeHost(host_out));
  good(cudaFreeHost(host_w));
  good(cudaFree(dev_in));
  good(cudaFree(dev_out));
  good(cudaFree(dev_w));
}
