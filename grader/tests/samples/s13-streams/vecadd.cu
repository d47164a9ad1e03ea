#include <cuda_runtime.h>

#include <algorithm>

#include "vecadd.h"

static __global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

// Copies and kernels of different pieces overlap: one stream a piece.
void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int kStreams = 2;
  cudaStream_t stream[kStreams];
  for (int s = 0; s < kStreams; ++s) cudaStreamCreate(&stream[s]);

  float *da, *db, *dc;
  cudaMalloc(&da, n * sizeof(float));
  cudaMalloc(&db, n * sizeof(float));
  cudaMalloc(&dc, n * sizeof(float));

  int piece = (n + kStreams - 1) / kStreams;
  for (int s = 0; s < kStreams; ++s) {
    int begin = s * piece;
    int count = std::min(piece, n - begin);
    if (count <= 0) break;
    size_t bytes = count * sizeof(float);
    cudaMemcpyAsync(da + begin, a + begin, bytes, cudaMemcpyHostToDevice, stream[s]);
    cudaMemcpyAsync(db + begin, b + begin, bytes, cudaMemcpyHostToDevice, stream[s]);
    add<<<(count + 255) / 256, 256, 0, stream[s]>>>(da + begin, db + begin, dc + begin, count);
    cudaMemcpyAsync(c + begin, dc + begin, bytes, cudaMemcpyDeviceToHost, stream[s]);
  }
  for (int s = 0; s < kStreams; ++s) {
    cudaStreamSynchronize(stream[s]);
    cudaStreamDestroy(stream[s]);
  }
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
}
