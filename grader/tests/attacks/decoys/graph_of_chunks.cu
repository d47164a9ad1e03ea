// lab:     vecadd
// does:    captures one chunk as a graph over two streams, and launches it for each chunk
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>

#include "vecadd.h"

constexpr int kChunk = 1 << 17;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const int chunk = std::min(n, kChunk);
  const size_t bytes = chunk * sizeof(float);
  float *host, *x, *y, *z;
  cudaMallocHost(&host, 3 * bytes);
  memset(host, 0, 3 * bytes);
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  cudaMemcpyAsync(x, host, bytes, cudaMemcpyHostToDevice, first);
  cudaMemcpyAsync(y, host + chunk, bytes, cudaMemcpyHostToDevice, second);
  cudaEventRecord(join, second);
  cudaStreamWaitEvent(first, join, 0);
  add<<<(chunk + 255) / 256, 256, 0, first>>>(x, y, z, chunk);
  cudaMemcpyAsync(host + 2 * chunk, z, bytes, cudaMemcpyDeviceToHost, first);
  cudaGraph_t graph;
  cudaStreamEndCapture(first, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  for (int at = 0; at < n; at += chunk) {
    const int count = std::min(chunk, n - at);
    memcpy(host, a + at, count * sizeof(float));
    memcpy(host + chunk, b + at, count * sizeof(float));
    cudaGraphLaunch(exec, first);
    cudaStreamSynchronize(first);
    memcpy(c + at, host + 2 * chunk, count * sizeof(float));
  }
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
  cudaFreeHost(host);
}
