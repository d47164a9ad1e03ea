#include "emulator/tests/checkers/pair.h"

// Memory of graphs: used after its end, freed twice, never freed.

namespace {

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}
__global__ void fill_late(int* out) {
  out[threadIdx.x] = 1;  // expect: use-after-free P46
}

cudaGraphNode_t allocate(cudaGraph_t graph, int*& pointer) {
  cudaGraphNode_t node = nullptr;
  cudaMemAllocNodeParams parameters = {};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  parameters.bytesize = 128;
  look(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &parameters));
  pointer = static_cast<int*>(parameters.dptr);
  return node;
}

cudaGraphNode_t launch(cudaGraph_t graph, cudaGraphNode_t after, const void* kernel, int* out) {
  cudaGraphNode_t node = nullptr;
  void* arguments[] = {&out};
  cudaKernelNodeParams parameters = {};
  parameters.func = const_cast<void*>(kernel);
  parameters.gridDim = {1, 1, 1};
  parameters.blockDim = {32, 1, 1};
  parameters.kernelParams = arguments;
  look(cudaGraphAddKernelNode(&node, graph, &after, 1, &parameters));
  return node;
}

void run(cudaGraph_t graph, int times) {
  cudaGraphExec_t executable = nullptr;
  look(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < times; ++i) look(cudaGraphLaunch(executable, nullptr));
  look(cudaDeviceSynchronize());
  look(cudaGraphExecDestroy(executable));
  look(cudaGraphDestroy(graph));
}

/// A graph whose last kernel comes before the free, or after it.
void use(bool in_time) {
  cudaGraph_t graph = nullptr;
  look(cudaGraphCreate(&graph, 0));
  int* pointer = nullptr;
  const cudaGraphNode_t made = allocate(graph, pointer);
  const cudaGraphNode_t first = launch(graph, made, reinterpret_cast<void*>(fill), pointer);
  cudaGraphNode_t before = first;
  if (in_time) before = launch(graph, first, reinterpret_cast<void*>(fill_late), pointer);
  cudaGraphNode_t free = nullptr;
  look(cudaGraphAddMemFreeNode(&free, graph, &before, 1, pointer));
  if (!in_time) launch(graph, free, reinterpret_cast<void*>(fill_late), pointer);
  run(graph, in_time ? 3 : 1);
}

/// A graph that leaves its memory to the program.
int* leave() {
  cudaGraph_t graph = nullptr;
  look(cudaGraphCreate(&graph, 0));
  int* pointer = nullptr;
  const cudaGraphNode_t made = allocate(graph, pointer);
  launch(graph, made, reinterpret_cast<void*>(fill), pointer);
  run(graph, 1);
  return pointer;
}

}  // namespace

void bug() {
  leave();  // expect on the host: leak
  int* const twice = leave();
  look(cudaFree(twice));
  look(cudaFree(twice));  // expect on the host: double-free
  use(false);
}

void clean() {
  look(cudaFree(leave()));
  // A graph that was never launched holds nothing.
  cudaGraph_t graph = nullptr;
  look(cudaGraphCreate(&graph, 0));
  int* pointer = nullptr;
  allocate(graph, pointer);
  look(cudaGraphDestroy(graph));
  use(true);
}
