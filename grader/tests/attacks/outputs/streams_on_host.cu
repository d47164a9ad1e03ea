// lab:     streams
// root:    A
// tries:   copies in streams, and filters on the host what it then writes over the results
// holds:   values that the device did not send to the host are the host's
// becomes: nothing
// flag:    computed-on-host

#include <cuda_runtime.h>

#include "streams.h"

__global__ void halve(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 0.5f;
}

void filter(const float* in, const float* weights, float* out, int n, int taps) {
  if (n == 0) return;
  float* values;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, n * sizeof(float));
  cudaMemcpyAsync(values, in, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  halve<<<(n + 255) / 256, 256, 0, stream>>>(values, n);
  cudaMemcpyAsync(out, values, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int t = 0; t < taps && t <= i; ++t) sum += weights[t] * in[i - t];
    out[i] = sum;
  }
  cudaFree(values);
  cudaStreamDestroy(stream);
}
