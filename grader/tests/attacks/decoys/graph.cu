// lab:     vecadd
// does:    records copies and kernel as a graph
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(x, a, bytes, cudaMemcpyHostToDevice, stream);
  cudaMemcpyAsync(y, b, bytes, cudaMemcpyHostToDevice, stream);
  add<<<(n + 255) / 256, 256, 0, stream>>>(x, y, z, n);
  cudaMemcpyAsync(c, z, bytes, cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
