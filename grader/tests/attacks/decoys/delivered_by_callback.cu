// lab:     streams
// does:    has host functions of the stream carry finished chunks from pinned memory to the result
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "streams.h"

constexpr int kChunk = 1 << 16;

struct Delivery {
  float* to;
  const float* from;
  size_t bytes;
};

__global__ void filter_kernel(const float* in, const float* weights, float* out, int first, int n,
                              int taps) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < taps && t <= i; ++t) sum += weights[t] * in[i - t];
  out[i] = sum;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float *x, *w, *y, *pinned;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&w, taps * sizeof(float));
  cudaMallocHost(&pinned, n * sizeof(float));
  cudaMemcpyAsync(w, weights, taps * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(x, in, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  std::vector<Delivery> deliveries((n + kChunk - 1) / kChunk);
  for (size_t d = 0; d < deliveries.size(); ++d) {
    const int first = static_cast<int>(d) * kChunk;
    const int count = std::min(kChunk, n - first);
    const size_t bytes = count * sizeof(float);
    filter_kernel<<<(count + 255) / 256, 256, 0, stream>>>(x, w, y, first, first + count, taps);
    cudaMemcpyAsync(pinned + first, y + first, bytes, cudaMemcpyDeviceToHost, stream);
    deliveries[d] = {out + first, pinned + first, bytes};
    cudaLaunchHostFunc(
        stream,
        [](void* data) {
          const Delivery& delivery = *static_cast<const Delivery*>(data);
          std::memcpy(delivery.to, delivery.from, delivery.bytes);
        },
        &deliveries[d]);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
  cudaFree(w);
  cudaFreeHost(pinned);
}
