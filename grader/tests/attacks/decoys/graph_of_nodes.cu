// lab:     vecadd
// does:    makes a graph node by node, with copies, a memset and a kernel
// becomes: kept
// flag:    none

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void add_to(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] += a[i] + b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  const size_t bytes = n * sizeof(float);
  float *x, *y, *z;
  cudaMalloc(&x, bytes);
  cudaMalloc(&y, bytes);
  cudaMalloc(&z, bytes);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t before[3], kernel, last;
  cudaGraphAddMemcpyNode1D(&before[0], graph, nullptr, 0, x, a, bytes, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNode1D(&before[1], graph, nullptr, 0, y, b, bytes, cudaMemcpyHostToDevice);
  cudaMemsetParams set = {};
  set.dst = z;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  cudaGraphAddMemsetNode(&before[2], graph, nullptr, 0, &set);
  void* arguments[] = {&x, &y, &z, &n};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(add_to);
  launch.gridDim = dim3((n + 255) / 256);
  launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, before, 3, &launch);
  cudaGraphAddMemcpyNode1D(&last, graph, &kernel, 1, c, z, bytes, cudaMemcpyDeviceToHost);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  cudaStreamSynchronize(nullptr);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFree(x);
  cudaFree(y);
  cudaFree(z);
}
