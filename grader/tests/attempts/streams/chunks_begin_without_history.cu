#include "streams.h"

#include <cuda_runtime.h>
#include <cstring>

constexpr int kChunk = 1 << 18;

// One thread per output. in[before] is the first value of the chunk.
__global__ void filter_kernel(const float* in, const float* weights, float* out, int n, int before,
                              int taps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < taps; ++t) {
    int j = before + i - t;
    if (j >= 0) sum += weights[t] * in[j];
  }
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float *p_in, *p_out, *d_weights, *d_in[2], *d_out[2];
  cudaStream_t stream[2];
  cudaMallocHost(&p_in, n * sizeof(float));
  cudaMallocHost(&p_out, n * sizeof(float));
  cudaMalloc(&d_weights, taps * sizeof(float));
  for (int s = 0; s < 2; ++s) {
    cudaStreamCreate(&stream[s]);
    cudaMalloc(&d_in[s], (kChunk + 64) * sizeof(float));
    cudaMalloc(&d_out[s], kChunk * sizeof(float));
  }
  std::memcpy(p_in, in, n * sizeof(float));
  cudaMemcpy(d_weights, weights, taps * sizeof(float), cudaMemcpyHostToDevice);

  for (int first = 0, s = 0; first < n; first += kChunk, s = 1 - s) {
    int count = n - first < kChunk ? n - first : kChunk;
    int before = 0;
    cudaMemcpyAsync(d_in[s], p_in + first - before, (count + before) * sizeof(float),
                    cudaMemcpyHostToDevice, stream[s]);
    filter_kernel<<<(count + 255) / 256, 256, 0, stream[s]>>>(d_in[s], d_weights, d_out[s], count,
                                                              before, taps);
    if (cudaGetLastError() != cudaSuccess) break;
    cudaMemcpyAsync(p_out + first, d_out[s], count * sizeof(float), cudaMemcpyDeviceToHost,
                    stream[s]);
  }
  for (int s = 0; s < 2; ++s) cudaStreamSynchronize(stream[s]);
  std::memcpy(out, p_out, n * sizeof(float));

  for (int s = 0; s < 2; ++s) {
    cudaStreamDestroy(stream[s]);
    cudaFree(d_in[s]);
    cudaFree(d_out[s]);
  }
  cudaFree(d_weights);
  cudaFreeHost(p_in);
  cudaFreeHost(p_out);
}
