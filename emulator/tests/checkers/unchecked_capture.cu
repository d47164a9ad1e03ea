#include "emulator/tests/checkers/pair.h"

// A call that cannot be captured spoils the capture; what comes after it fails, too.

__global__ void nothing() {}

cudaStream_t begin() {
  cudaStream_t stream = nullptr;
  look(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  look(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  nothing<<<1, 1, 0, stream>>>();
  return stream;
}

void make_graph() {
  const cudaStream_t stream = begin();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  (void)cudaDeviceSynchronize();
  (void)cudaStreamEndCapture(stream, &graph);
  (void)cudaGraphInstantiate(&executable, graph, 0);
  (void)cudaGraphLaunch(executable, stream);
  (void)cudaStreamDestroy(stream);
}

// Who has seen that the capture failed has to end it nevertheless, and goes on without a graph.
void give_up() {
  const cudaStream_t stream = begin();
  cudaGraph_t graph = nullptr;
  if (cudaStreamSynchronize(stream) != cudaSuccess) {
    (void)cudaStreamEndCapture(stream, &graph);
    nothing<<<1, 1, 0, stream>>>();
  }
  if (cudaStreamDestroy(stream) != cudaSuccess) std::printf("no stream\n");
}

// Nobody wants the graph.
void forget_graph() {
  const cudaStream_t stream = begin();
  look(cudaStreamEndCapture(stream, nullptr));
  nothing<<<1, 1, 0, stream>>>();
  look(cudaStreamSynchronize(stream));
  look(cudaStreamDestroy(stream));
}

// expect on the host warning: unchecked-error
void bug() {
  make_graph();
}
void clean() {
  forget_graph();
  give_up();
}
