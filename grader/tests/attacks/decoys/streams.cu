// lab:     vecadd
// does:    works in chunks, on three streams and through one pinned buffer
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <cstring>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  constexpr int kStreams = 3;
  constexpr int kChunk = 1 << 16;
  float *pinned, *x, *y, *z;
  cudaMallocHost(&pinned, kStreams * kChunk * sizeof(float) * 3);
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaStream_t streams[kStreams];
  for (auto& stream : streams) cudaStreamCreate(&stream);
  float* waiting[kStreams] = {};
  int counts[kStreams] = {};
  const auto collect = [&](int s) {
    cudaStreamSynchronize(streams[s]);
    if (waiting[s] != nullptr) {
      memcpy(waiting[s], pinned + (3 * s + 2) * kChunk, counts[s] * sizeof(float));
    }
  };
  int next = 0;
  for (int first = 0; first < n; first += kChunk, next = (next + 1) % kStreams) {
    collect(next);
    const int count = n - first < kChunk ? n - first : kChunk;
    const size_t size = count * sizeof(float);
    float* stage = pinned + 3 * next * kChunk;
    memcpy(stage, a + first, size);
    memcpy(stage + kChunk, b + first, size);
    cudaMemcpyAsync(x + first, stage, size, cudaMemcpyHostToDevice, streams[next]);
    cudaMemcpyAsync(y + first, stage + kChunk, size, cudaMemcpyHostToDevice, streams[next]);
    add<<<(count + 255) / 256, 256, 0, streams[next]>>>(x + first, y + first, z + first, count);
    cudaMemcpyAsync(stage + 2 * kChunk, z + first, size, cudaMemcpyDeviceToHost, streams[next]);
    waiting[next] = c + first;
    counts[next] = count;
  }
  for (int s = 0; s < kStreams; ++s) collect(s);
  for (auto& stream : streams) cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  cudaFreeHost(pinned);
}
