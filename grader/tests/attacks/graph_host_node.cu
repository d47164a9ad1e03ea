// family:  20 doing it on the CPU
// tries:   computes the sums in a graph's host node, after a kernel node whose result it reads
// holds:   values that the device did not send to the host are the host's: the case earns
//          nothing and is flagged
// over:    nothing
// ends:    any
// flag:    computed-on-host

#include <cuda_runtime.h>

#include "vecadd.h"

__global__ void set(int* flag) {
  *flag = 1;
}

struct Work {
  const float *a, *b;
  float* c;
  int n;
  int* flag;
};

void add(void* data) {
  const Work& w = *static_cast<Work*>(data);
  if (*w.flag != 1) return;
  for (int i = 0; i < w.n; ++i) w.c[i] = w.a[i] + w.b[i];
}

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  int* flag;
  cudaMallocHost(&flag, sizeof(int));
  *flag = 0;
  Work work = {a, b, c, n, flag};
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&flag};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(set);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
  cudaHostNodeParams host = {add, &work};
  cudaGraphAddHostNode(&second, graph, &first, 1, &host);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaFreeHost(flag);
}
