#include "emulator/tests/checkers/pair.h"

// A condition is set through its handle, and through nothing else.

namespace {

__global__ void end_loop(cudaGraphConditionalHandle handle, unsigned offset) {
  cudaGraphSetConditional(handle + offset, 0);  // expect: device-runtime-call
}

void run(unsigned offset) {
  cudaGraph_t graph = nullptr;
  look(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = 0;
  look(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeWhile;
  parameters.conditional.size = 1;
  cudaGraphNode_t loop = nullptr;
  look(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &parameters));

  cudaGraphNode_t node = nullptr;
  void* arguments[] = {&handle, &offset};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(end_loop);
  kernel.gridDim = {1, 1, 1};
  kernel.blockDim = {1, 1, 1};
  kernel.kernelParams = arguments;
  look(cudaGraphAddKernelNode(&node, parameters.conditional.phGraph_out[0], nullptr, 0, &kernel));

  cudaGraphExec_t executable = nullptr;
  look(cudaGraphInstantiate(&executable, graph, 0));
  look(cudaGraphLaunch(executable, nullptr));
  look(cudaDeviceSynchronize());
  look(cudaGraphExecDestroy(executable));
  look(cudaGraphDestroy(graph));
}

}  // namespace

void bug() {
  run(4);
}
void clean() {
  run(0);
}
