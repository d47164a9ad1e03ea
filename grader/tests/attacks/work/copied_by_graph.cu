// lab:     transpose
// tries:   has a graph copy each column, and then the whole matrix with a kernel
// fails:   loads-once coalesced-loads coalesced-stores
// flags:   none
// speed:   none

#include <cuda_runtime.h>

#include "transpose.h"

__global__ void put(const float* from, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = from[i];
}

void transpose(const float* in, float* out, int rows, int columns) {
  if (rows == 0 || columns == 0) return;
  const int n = rows * columns;
  const size_t pitch = columns * sizeof(float);
  float* turned;
  cudaMalloc(&turned, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int c = 0; c < columns; ++c) {
    cudaMemcpy2DAsync(turned + static_cast<size_t>(c) * rows, sizeof(float), in + c, pitch,
                      sizeof(float), rows, cudaMemcpyDeviceToDevice, stream);
  }
  put<<<(n + 255) / 256, 256, 0, stream>>>(turned, out, n);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(turned);
}
